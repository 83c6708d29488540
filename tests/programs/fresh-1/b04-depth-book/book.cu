#include "book.h"

static __device__ void match_for(unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b));
    } while (b - a < ns);
}

static __global__ void apply_orders(const order *orders, int n, int weight, int *ladder,
                                    unsigned long long ns)
{
    match_for(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&ladder[orders[i].level], orders[i].quantity * weight);
}

static __global__ void net_ladder(const int *ladder, int levels, long long *net)
{
    __shared__ long long sum[256];
    long long acc = 0;
    for (int i = threadIdx.x; i < levels; i += blockDim.x)
        acc += (long long)ladder[i] * (i % 17 + 1);
    sum[threadIdx.x] = acc;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if (threadIdx.x < w)
            sum[threadIdx.x] += sum[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *net = sum[0];
}

void book_create(depth_book *b, const order *const host_orders[VENUES])
{
    b->phase = BOOK_CLOSED;
    b->session = 0;
    OK_OR_DIE(cudaMalloc(&b->d_ladder, LEVELS * sizeof(int)));
    OK_OR_DIE(cudaMalloc(&b->d_net, SESSIONS * sizeof(long long)));
    for (int v = 0; v < VENUES; ++v) {
        OK_OR_DIE(cudaStreamCreate(&b->venue[v]));
        OK_OR_DIE(cudaMalloc(&b->d_orders[v], ORDERS * sizeof(order)));
        OK_OR_DIE(cudaMemcpy(b->d_orders[v], host_orders[v], ORDERS * sizeof(order),
                             cudaMemcpyHostToDevice));
    }
}

static void open_session(depth_book *b)
{
    OK_OR_DIE(cudaMemsetAsync(b->d_ladder, 0, LEVELS * sizeof(int)));
}

static void trade(depth_book *b)
{
    for (int v = 0; v < VENUES; ++v) {
        unsigned long long ns = (8 + 6 * (unsigned long long)v) * 1000 * 1000;
        apply_orders<<<24, 128, 0, b->venue[v]>>>(b->d_orders[v], ORDERS, b->session + v + 1,
                                                  b->d_ladder, ns);
        OK_OR_DIE(cudaGetLastError());
    }
}

static void net(depth_book *b)
{
    net_ladder<<<1, 256>>>(b->d_ladder, LEVELS, b->d_net + b->session);
    OK_OR_DIE(cudaGetLastError());
}

int book_step(depth_book *b)
{
    switch (b->phase) {
    case BOOK_CLOSED:
        if (b->session == SESSIONS)
            return 0;
        open_session(b);
        b->phase = BOOK_OPEN;
        break;
    case BOOK_OPEN:
        trade(b);
        b->phase = BOOK_TRADING;
        break;
    case BOOK_TRADING:
        net(b);
        b->phase = BOOK_NETTING;
        break;
    case BOOK_NETTING:
        b->session++;
        b->phase = BOOK_CLOSED;
        break;
    }
    return 1;
}

void book_result(depth_book *b, long long out[SESSIONS])
{
    OK_OR_DIE(cudaMemcpy(out, b->d_net, SESSIONS * sizeof(long long), cudaMemcpyDeviceToHost));
}

void book_destroy(depth_book *b)
{
    for (int v = 0; v < VENUES; ++v) {
        OK_OR_DIE(cudaStreamDestroy(b->venue[v]));
        OK_OR_DIE(cudaFree(b->d_orders[v]));
    }
    OK_OR_DIE(cudaFree(b->d_ladder));
    OK_OR_DIE(cudaFree(b->d_net));
}
