/* engine.cu - the resident operator engine and its mailbox */
#include "lattice.h"
#define ENGINE_THREADS 512

__device__ __forceinline__ int shifted(int i, int stride, int edge, int step) {
    int c = (i / stride) % edge;
    int d = c + step;
    d = d < 0 ? edge - 1 : (d == edge ? 0 : d);
    return i + (d - c) * stride;
}

__global__ void k_engine(struct mailbox *box, unsigned seen) {
    __shared__ int           op, edge;
    __shared__ double        mass;
    __shared__ double       *dst;
    __shared__ const double *src;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->seq == seen)
                __nanosleep(500);
            __threadfence_system();
            op = box->op;
            edge = box->edge;
            mass = box->mass;
            dst = box->dst, src = box->src;
        }
        __syncthreads();
        ++seen;
        if (op == OP_HOP) {
            int volume = edge * edge * edge * edge;
            for (int i = threadIdx.x; i < volume; i += blockDim.x) {
                double sum = 0.0;
                int stride = 1;
                for (int mu = 0; mu < 4; ++mu, stride *= edge)
                    sum += __ldcg(&src[shifted(i, stride, edge, 1)])
                         + __ldcg(&src[shifted(i, stride, edge, -1)]);
                dst[i] = (8.0 + mass) * __ldcg(&src[i]) - sum;
            }
        }
        bool quit = op == OP_QUIT;
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            box->ack = seen;
        if (quit)
            return;
    }
}

void engine_start(struct engine *e) {
    if (!e->box) {
        LQ(cudaHostAlloc((void **)&e->box, sizeof(struct mailbox), cudaHostAllocMapped));
        LQ(cudaStreamCreateWithFlags(&e->stream, cudaStreamNonBlocking));
        e->box->seq = e->box->ack = e->orders = 0;
        e->box->op = OP_NONE;
    }
    k_engine<<<1, ENGINE_THREADS, 0, e->stream>>>(e->box, e->orders);
    LQ(cudaGetLastError());
    e->running = 1;
}

void engine_order(struct engine *e, enum engine_op op, double *dst, const double *src,
                  int edge, double mass) {
    struct mailbox *b = e->box;
    b->op = op;
    b->dst = dst, b->src = src;
    b->edge = edge, b->mass = mass;
    __sync_synchronize();
    b->seq = ++e->orders;
    while (b->ack != e->orders)
        ;
    __sync_synchronize();
}

void engine_stop(struct engine *e) {
    if (!e->running)
        return;
    engine_order(e, OP_QUIT, nullptr, nullptr, 0, 0.0);
    LQ(cudaStreamSynchronize(e->stream));
    e->running = 0;
}
