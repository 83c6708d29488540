#include "chan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die_rt(cudaError_t e)
{
    printf("ERROR %s\n", cudaGetErrorName(e));
    exit(1);
}

void die_drv(CUresult r)
{
    const char *name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(r, &name);
    printf("ERROR %s\n", name);
    exit(1);
}

void chan_open(chan_t *c, size_t slot_bytes, size_t budget_bytes, unsigned burst,
               cudaStream_t producer, cudaStream_t consumer)
{
    void *word = NULL;

    memset(c, 0, sizeof *c);
    c->producer = producer;
    c->consumer = consumer;
    c->slot_bytes = slot_bytes;
    c->depth = (unsigned)(budget_bytes / slot_bytes);
    c->burst = burst;

    RT(cudaMalloc((void **)&c->slots, c->depth * slot_bytes));
    RT(cudaMalloc(&word, sizeof(cuuint32_t)));
    RT(cudaMemset(word, 0, sizeof(cuuint32_t)));
    RT(cudaEventCreateWithFlags(&c->published, cudaEventDisableTiming));
    RT(cudaDeviceSynchronize());
    c->returned = (CUdeviceptr)(size_t)word;
}

void *chan_take(chan_t *c)
{
    unsigned k = c->n_taken++;

    if (k >= c->depth) {
        DRV(cuStreamWaitValue32((CUstream)c->producer, c->returned,
                                k - c->depth + 1, CU_STREAM_WAIT_VALUE_GEQ));
    }
    return c->slots + (size_t)(k % c->depth) * c->slot_bytes;
}

void chan_publish(chan_t *c)
{
    if (c->n_taken % c->burst != 0)
        return;
    RT(cudaEventRecord(c->published, c->producer));
    RT(cudaStreamWaitEvent(c->consumer, c->published, 0));
}

void *chan_read(chan_t *c)
{
    unsigned k = c->n_read++;
    return c->slots + (size_t)(k % c->depth) * c->slot_bytes;
}

void chan_return(chan_t *c)
{
    c->n_returned++;
    DRV(cuStreamWriteValue32((CUstream)c->consumer, c->returned, c->n_returned,
                             CU_STREAM_WRITE_VALUE_DEFAULT));
}

void chan_close(chan_t *c)
{
    RT(cudaStreamSynchronize(c->producer));
    RT(cudaStreamSynchronize(c->consumer));
    cudaEventDestroy(c->published);
    cudaFree((void *)(size_t)c->returned);
    cudaFree(c->slots);
}
