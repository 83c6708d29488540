#include "md.h"

/* Host replica of the trajectory. */
typedef struct {
    unsigned pos[MD_ATOMS], vel[MD_ATOMS];
} replica;

static void replica_init(replica *r)
{
    for (int i = 0; i < MD_ATOMS; ++i) {
        r->pos[i] = (unsigned)i * 2654435761u;
        r->vel[i] = (unsigned)i * 40503u;
    }
}

static void replica_step(replica *r, int kick)
{
    for (int i = 0; i < MD_ATOMS; ++i) {
        r->vel[i] += (unsigned)kick + (r->pos[i] >> 20);
        r->pos[i] += r->vel[i];
    }
}

static long compare(const replica *r, const unsigned *histogram)
{
    unsigned want[MD_BINS] = {0};
    long wrong = 0;
    for (int i = 0; i < MD_ATOMS; ++i) ++want[r->pos[i] >> 26];
    for (int b = 0; b < MD_BINS; ++b) wrong += want[b] != histogram[b];
    return wrong;
}

/* The thermostat follows the occupation of the first half of the box. */
static int thermostat(const unsigned *histogram)
{
    int left = 0;
    for (int b = 0; b < MD_BINS / 2; ++b) left += (int)histogram[b];
    return (MD_ATOMS / 2 - left) * 4096 + 12345;
}

int main(void)
{
    static md_system sys;
    static replica ref;
    unsigned histogram[MD_BINS];
    const int steps = 200;
    long wrong = 0;

    md_open(&sys);
    replica_init(&ref);

    md_observe(&sys, histogram);       /* profile of the initial configuration */
    wrong += compare(&ref, histogram);

    md_start(&sys);
    for (int step = 1; step <= steps; ++step) {
        int kick = thermostat(histogram);
        md_step(&sys, step, kick);
        replica_step(&ref, kick);
        if (step % 4 == 0) {
            md_observe(&sys, histogram);
            wrong += compare(&ref, histogram);
        }
    }
    md_stop(&sys);

    unsigned last[MD_ATOMS];
    MD_TRY(cudaMemcpy(last, sys.vel, sizeof last, cudaMemcpyDeviceToHost));
    for (int i = 0; i < MD_ATOMS; ++i) wrong += last[i] != ref.vel[i];
    md_close(&sys);

    printf("%d steps, thermostat %d\n", steps, thermostat(histogram));
    if (wrong) printf("WRONG %ld\n", wrong);
    else printf("DONE\n");
    return wrong != 0;
}
