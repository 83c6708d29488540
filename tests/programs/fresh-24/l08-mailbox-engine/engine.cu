#include "engine.h"
#include <string.h>

/* Every input lane owns the slots of its parity. */
static void input_setup(engine *e, lane *ln)
{
    for (int s = ln->id; s < SLOTS; s += 2)
        CK(cudaMemsetAsync(e->payload + s * SAMPLES, 0, SAMPLES * sizeof(unsigned), ln->stream));
}

static void work_setup(engine *e, lane *ln)
{
    CK(cudaMemsetAsync(e->tally, 0, 2 * sizeof(unsigned), ln->stream));
}

static void work_begin(engine *e, lane *ln)
{
    worker_launch(e, ln->stream);
}

static const lane_ops OPS[LANES] = {
    {input_setup, NULL},
    {input_setup, NULL},
    {work_setup, work_begin},
};

static void engine_start(engine *e)
{
    for (int l = 0; l < LANES; l++) {
        OPS[l].setup(e, &e->lanes[l]);
        CK(cudaEventRecord(e->lanes[l].ready, e->lanes[l].stream));
    }
    for (int l = 0; l < LANES; l++)
        for (int k = 1; k < LANES; k++)
            CK(cudaStreamWaitEvent(e->lanes[l].stream, e->lanes[(l + k) % LANES].ready, 0));
    for (int l = 0; l < LANES; l++)
        if (OPS[l].begin)
            OPS[l].begin(e, &e->lanes[l]);
}

void engine_open(engine *e)
{
    memset(e, 0, sizeof *e);
    CK(cudaHostAlloc((void **)&e->box, sizeof(mailbox), cudaHostAllocMapped));
    memset((void *)e->box, 0, sizeof(mailbox));
    CK(cudaHostGetDevicePointer((void **)&e->d_box, e->box, 0));
    CK(cudaHostAlloc((void **)&e->staging, SLOTS * SAMPLES * sizeof(unsigned), cudaHostAllocDefault));
    CK(cudaMalloc((void **)&e->payload, SLOTS * SAMPLES * sizeof(unsigned)));
    CK(cudaMalloc((void **)&e->tally, 2 * sizeof(unsigned)));
    for (int s = 0; s < SLOTS; s++)
        CK(cudaEventCreateWithFlags(&e->staged[s], cudaEventDisableTiming));
    for (int l = 0; l < LANES; l++) {
        e->lanes[l].id = l;
        CK(cudaStreamCreateWithFlags(&e->lanes[l].stream, cudaStreamNonBlocking));
        CK(cudaEventCreateWithFlags(&e->lanes[l].ready, cudaEventDisableTiming));
    }
    engine_start(e);
}

unsigned *engine_slot(engine *e, int job)
{
    return e->staging + (job % SLOTS) * SAMPLES;
}

void engine_post(engine *e, int job)
{
    int s = job % SLOTS;
    lane *in = &e->lanes[LANE_IN0 + job % 2];
    CK(cudaMemcpyAsync(e->payload + s * SAMPLES, e->staging + s * SAMPLES, SAMPLES * sizeof(unsigned),
                       cudaMemcpyHostToDevice, in->stream));
    CK(cudaEventRecord(e->staged[s], in->stream));
    CK(cudaEventSynchronize(e->staged[s]));
    e->box->cmd[s] = job + 1;
    __sync_synchronize();
}

unsigned engine_collect(engine *e, int job)
{
    int s = job % SLOTS;
    while (e->box->ack[s] != job + 1)
        ;
    __sync_synchronize();
    return e->box->result[s];
}

void engine_close(engine *e, unsigned tally[2])
{
    e->box->stop = 1;
    __sync_synchronize();
    CK(cudaStreamSynchronize(e->lanes[LANE_WORK].stream));
    CK(cudaMemcpy(tally, e->tally, 2 * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int l = 0; l < LANES; l++) {
        CK(cudaStreamDestroy(e->lanes[l].stream));
        CK(cudaEventDestroy(e->lanes[l].ready));
    }
    for (int s = 0; s < SLOTS; s++)
        CK(cudaEventDestroy(e->staged[s]));
    CK(cudaFree(e->payload));
    CK(cudaFree(e->tally));
    CK(cudaFreeHost(e->staging));
    CK(cudaFreeHost(e->box));
}
