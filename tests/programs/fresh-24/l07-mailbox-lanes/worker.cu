#include "engine.h"

#define THREADS 256

__global__ static void worker(mailbox *box, const unsigned *payload, unsigned *tally)
{
    __shared__ unsigned part[THREADS];
    __shared__ int go;
    for (int job = 0;; job++) {
        int slot = job % SLOTS;
        if (threadIdx.x == 0) {
            while (box->cmd[slot] != job + 1 && !box->stop)
                ;
            __threadfence_system();
            go = box->cmd[slot] == job + 1;
        }
        __syncthreads();
        if (!go)
            return;

        const unsigned *in = payload + slot * SAMPLES;
        unsigned acc = 0;
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            acc += __ldcg(in + i) * (unsigned)(i + 1);
        part[threadIdx.x] = acc;
        __syncthreads();
        for (int w = THREADS / 2; w > 0; w /= 2) {
            if (threadIdx.x < w)
                part[threadIdx.x] += part[threadIdx.x + w];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            tally[0] += 1;
            tally[1] += part[0];
            box->result[slot] = part[0];
            __threadfence_system();
            box->ack[slot] = job + 1;
        }
        __syncthreads();
    }
}

void worker_launch(engine *e, cudaStream_t s)
{
    worker<<<1, THREADS, 0, s>>>(e->d_box, e->payload, e->tally);
    CK(cudaGetLastError());
}
