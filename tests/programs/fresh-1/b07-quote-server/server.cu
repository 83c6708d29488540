#include "server.h"

#include <sched.h>
#include <string.h>

static __global__ void serve_quotes(mailbox *box)
{
    __shared__ unsigned shutdown, length;
    __shared__ int strike;
    __shared__ const int *surface;
    __shared__ long long part[128];
    unsigned seen = 0;

    for (;;) {
        if (threadIdx.x == 0) {
            while (box->request == seen)
                __nanosleep(200);
            __threadfence_system();
            shutdown = box->shutdown;
            length = box->length;
            strike = box->strike;
            surface = box->surface;
        }
        ++seen;
        __syncthreads();
        if (shutdown)
            return;

        long long acc = 0;
        for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
            int v = __ldcg(surface + i);
            acc += v > strike ? v - strike : 0;
        }
        part[threadIdx.x] = acc;
        __syncthreads();
        for (int w = 64; w > 0; w >>= 1) {
            if (threadIdx.x < w)
                part[threadIdx.x] += part[threadIdx.x + w];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            box->price = part[0];
            __threadfence_system();
            box->reply = seen;
        }
        __syncthreads();
    }
}

static void upload_surface(quote_server *s, int epoch, surface_fn make, void *user)
{
    surface_t *sf = &s->surface[epoch];
    make(s->staging, sf->length, epoch, user);
    need(cudaMemcpyAsync(sf->dev, s->staging, sf->length * sizeof(int),
                         cudaMemcpyHostToDevice, s->upload));
    need(cudaStreamSynchronize(s->upload));
}

void server_start(quote_server *s, unsigned capacity, surface_fn first, void *user)
{
    memset(s, 0, sizeof *s);
    s->capacity = capacity;
    need(cudaHostAlloc((void **)&s->box, sizeof(mailbox), cudaHostAllocMapped));
    memset((void *)s->box, 0, sizeof(mailbox));
    need(cudaHostGetDevicePointer((void **)&s->box_dev, (void *)s->box, 0));
    need(cudaHostAlloc((void **)&s->staging, capacity * sizeof(int), cudaHostAllocDefault));
    need(cudaStreamCreateWithFlags(&s->resident, cudaStreamNonBlocking));
    need(cudaStreamCreateWithFlags(&s->upload, cudaStreamNonBlocking));
    for (int e = 0; e < MAX_EPOCHS; ++e) {
        s->surface[e].length = capacity / MAX_EPOCHS * (e + 1);
        need(cudaMalloc((void **)&s->surface[e].dev, s->surface[e].length * sizeof(int)));
    }
    upload_surface(s, 0, first, user);

    serve_quotes<<<1, 128, 0, s->resident>>>(s->box_dev);
    need(cudaGetLastError());
}

void server_next_epoch(quote_server *s, surface_fn make, void *user)
{
    upload_surface(s, s->epoch + 1, make, user);
    s->epoch++;
}

static void post(quote_server *s)
{
    __sync_synchronize();
    s->box->request = ++s->calls;
    __sync_synchronize();
}

long long server_quote(quote_server *s, int strike)
{
    s->box->surface = s->surface[s->epoch].dev;
    s->box->length = s->surface[s->epoch].length;
    s->box->strike = strike;
    post(s);
    while (s->box->reply != s->calls)
        sched_yield();
    __sync_synchronize();
    return s->box->price;
}

void server_stop(quote_server *s)
{
    s->box->shutdown = 1;
    post(s);
    need(cudaStreamSynchronize(s->resident));
    for (int e = 0; e < MAX_EPOCHS; ++e)
        need(cudaFree(s->surface[e].dev));
    need(cudaFreeHost(s->staging));
    need(cudaFreeHost((void *)s->box));
    need(cudaStreamDestroy(s->resident));
    need(cudaStreamDestroy(s->upload));
}
