#include "ensemble.h"

static __host__ __device__ unsigned advance(unsigned x, unsigned f) { return x * 1664525u + f; }

static __global__ void make_forcing(unsigned *forcing)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CELLS; i += gridDim.x * blockDim.x)
        forcing[i] = i * 31u + 7u;
}

static __global__ void seed_state(unsigned *state, unsigned index)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CELLS; i += gridDim.x * blockDim.x)
        state[i] = i ^ (index * 977u);
}

static __global__ void integrate(unsigned *state, const unsigned *forcing, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < CELLS; i += gridDim.x * blockDim.x)
        state[i] = advance(state[i], forcing[i]);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

unsigned ensemble_reference(int member_index, unsigned cell)
{
    unsigned x = cell ^ (member_index * 977u);
    for (int s = 0; s < STEPS; ++s)
        x = advance(x, cell * 31u + 7u);
    return x;
}

static void CUDART_CB member_finished(void *user)
{
    member *m = (member *)user;
    std::lock_guard<std::mutex> hold(m->board->lock);
    m->board->finished++;
    m->board->changed.notify_all();
}

void ensemble_create(ensemble *e)
{
    RT(cudaFree(0));
    RT(cudaHostAlloc((void **)&e->gate, sizeof(unsigned), cudaHostAllocMapped));
    *e->gate = 0;
    void *gate_dev = nullptr;
    RT(cudaHostGetDevicePointer(&gate_dev, e->gate, 0));
    e->gate_dev = (CUdeviceptr)gate_dev;
    DV(cuMemAlloc(&e->forced, sizeof(unsigned)));
    RT(cudaMalloc(&e->forcing, CELLS * sizeof(unsigned)));
    for (int i = 0; i < MEMBERS; ++i) {
        member *m = &e->m[i];
        m->index = i;
        m->board = &e->board;
        m->forcing = e->forcing;
        RT(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
        RT(cudaMalloc(&m->state, CELLS * sizeof(unsigned)));
        RT(cudaHostAlloc((void **)&e->result[i], CELLS * sizeof(unsigned), cudaHostAllocDefault));
    }

    // dry run of every operation
    for (int i = 0; i < MEMBERS; ++i) {
        member *m = &e->m[i];
        make_forcing<<<8, 128, 0, m->stream>>>(m->state);
        seed_state<<<8, 128, 0, m->stream>>>(m->state, 0);
        integrate<<<8, 128, 0, m->stream>>>(m->state, m->state, 0);
        RT(cudaMemcpyAsync(e->result[i], m->state, CELLS * sizeof(unsigned),
                           cudaMemcpyDeviceToHost, m->stream));
        RT(cudaLaunchHostFunc(m->stream, member_finished, m));
    }
    RT(cudaDeviceSynchronize());
    RT(cudaGetLastError());
    e->board.finished = 0;
    DV(cuMemsetD32(e->forced, 0, 1));
    RT(cudaDeviceSynchronize());
}

void ensemble_queue(ensemble *e)
{
    for (int i = MEMBERS - 1; i >= 0; --i) {
        member *m = &e->m[i];
        DV(cuStreamWaitValue32(m->stream, e->gate_dev, 1, CU_STREAM_WAIT_VALUE_EQ));
        seed_state<<<16, 128, 0, m->stream>>>(m->state, i);
        if (i == 0) {
            make_forcing<<<16, 128, 0, m->stream>>>(m->forcing);
            DV(cuStreamWriteValue32(m->stream, e->forced, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
        } else {
            DV(cuStreamWaitValue32(m->stream, e->forced, 1, CU_STREAM_WAIT_VALUE_GEQ));
        }
        for (int s = 0; s < STEPS; ++s)
            integrate<<<16, 128, 0, m->stream>>>(m->state, m->forcing, 2000000ull);
        RT(cudaGetLastError());
        RT(cudaMemcpyAsync(e->result[i], m->state, CELLS * sizeof(unsigned),
                           cudaMemcpyDeviceToHost, m->stream));
        RT(cudaLaunchHostFunc(m->stream, member_finished, m));
    }
    {
        std::lock_guard<std::mutex> hold(e->board.lock);
        e->board.armed = true;
    }
    e->board.changed.notify_all();
}

void ensemble_control(ensemble *e)
{
    std::unique_lock<std::mutex> hold(e->board.lock);
    e->board.changed.wait(hold, [e] { return e->board.armed; });
    __atomic_store_n(e->gate, 1u, __ATOMIC_RELEASE);
}

void ensemble_wait(ensemble *e)
{
    std::unique_lock<std::mutex> hold(e->board.lock);
    e->board.changed.wait(hold, [e] { return e->board.finished == MEMBERS; });
}

void ensemble_destroy(ensemble *e)
{
    for (int i = 0; i < MEMBERS; ++i) {
        RT(cudaStreamDestroy(e->m[i].stream));
        RT(cudaFree(e->m[i].state));
        RT(cudaFreeHost(e->result[i]));
    }
    RT(cudaFree(e->forcing));
    DV(cuMemFree(e->forced));
    RT(cudaFreeHost(e->gate));
}
