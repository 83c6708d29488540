#include "gantry.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>

/* Interpreter for the motion scripts of the test bench. */

typedef struct step {
    int verb;
    float a, b;
} step_t;

enum { V_GAIN, V_POWER, V_MOVE, V_HOME, V_NEGATE, V_HALT, V_COUNT };

static gantry_line_t g_line;
static float g_model_gain[AXES];
static float g_model_pos[AXES];
static unsigned g_steps_done;

static void post(unsigned op, float arg)
{
    mailbox_t *mb = g_line.host;
    mb->op = op;
    mb->arg = arg;
    __sync_synchronize();
    mb->seq = ++g_line.seq;
    while (mb->ack != g_line.seq) sched_yield();
    __sync_synchronize();
}

static int do_gain(const step_t *s)
{
    gantry_set_gain(&g_line, s->a, s->b);
    for (int i = 0; i < AXES; ++i) g_model_gain[i] = s->a + s->b * (float)i;
    return 0;
}

static int do_power(const step_t *s)
{
    (void)s;
    if (g_line.running) return -1;
    gantry_start(&g_line);
    return 0;
}

static int do_move(const step_t *s)
{
    if (!g_line.running) return -1;
    post(CMD_MOVE, s->a);
    for (int i = 0; i < AXES; ++i) g_model_pos[i] += s->a * g_model_gain[i];
    return 0;
}

static int do_home(const step_t *s)
{
    if (!g_line.running) return -1;
    post(CMD_HOME, s->a);
    for (int i = 0; i < AXES; ++i) g_model_pos[i] = s->a;
    return 0;
}

static int do_negate(const step_t *s)
{
    (void)s;
    if (!g_line.running) return -1;
    post(CMD_NEGATE, 0.0f);
    for (int i = 0; i < AXES; ++i) g_model_pos[i] = -g_model_pos[i];
    return 0;
}

static int do_halt(const step_t *s)
{
    (void)s;
    if (!g_line.running) return -1;
    post(CMD_HALT, 0.0f);
    g_line.running = 0;
    return 0;
}

static const struct verb {
    const char *name;
    int (*run)(const step_t *);
} g_verbs[V_COUNT] = {
    {"gain", do_gain},
    {"power", do_power},
    {"move", do_move},
    {"home", do_home},
    {"negate", do_negate},
    {"halt", do_halt},
};

static const step_t g_script[] = {
    {V_GAIN, 1.0f, 0.5f},
    {V_POWER, 0, 0},
    {V_HOME, 8.0f, 0},
    {V_MOVE, 2.0f, 0},
    {V_NEGATE, 0, 0},
    {V_GAIN, 4.0f, 0.25f},
    {V_MOVE, 16.0f, 0},
    {V_GAIN, 2.0f, 1.0f},
    {V_MOVE, -4.0f, 0},
    {V_HALT, 0, 0},
};

static int run_script(const step_t *s, unsigned n)
{
    for (unsigned i = 0; i < n; ++i) {
        const struct verb *v = &g_verbs[s[i].verb];
        if (v->run(&s[i]) != 0) {
            fprintf(stderr, "step %u: %s refused\n", i, v->name);
            return -1;
        }
        ++g_steps_done;
    }
    return 0;
}

int main(void)
{
    float pos[AXES];
    unsigned wrong = 0;

    gantry_open(&g_line);
    if (run_script(g_script, sizeof g_script / sizeof g_script[0]) != 0) wrong += AXES;
    gantry_read(&g_line, pos);
    gantry_close(&g_line);

    for (int i = 0; i < AXES; ++i)
        if (fabsf(pos[i] - g_model_pos[i]) > 1e-3f) ++wrong;

    fprintf(stderr, "%u steps\n", g_steps_done);
    if (wrong) printf("WRONG %u\n", wrong);
    else printf("DONE\n");
    return wrong != 0;
}
