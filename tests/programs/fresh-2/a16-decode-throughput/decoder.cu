#include "decoder.cuh"

namespace dec {
namespace {

__host__ __device__ unsigned advance(unsigned s) { return s * 1103515245u + 12345u; }

__global__ void seed_states(unsigned* state, int worker) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSymbols; i += gridDim.x * blockDim.x)
        state[i] = static_cast<unsigned>(worker) * 7919u + static_cast<unsigned>(i);
}

__global__ void decode_packet(unsigned* state, unsigned long long latency_ns) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSymbols; i += gridDim.x * blockDim.x)
        state[i] = advance(state[i]);
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < latency_ns);
}

}  // namespace

void init_worker(Worker& w, int id) {
    w.id = id;
    DEC_TRY(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
    DEC_TRY(cudaEventCreateWithFlags(&w.done, cudaEventDisableTiming));
    DEC_TRY(cudaMalloc(reinterpret_cast<void**>(&w.state), kSymbols * sizeof(unsigned)));
    seed_states<<<16, 256, 0, w.stream>>>(w.state, id);
    DEC_TRY(cudaGetLastError());
}

void free_worker(Worker& w) {
    DEC_TRY(cudaFree(w.state));
    DEC_TRY(cudaEventDestroy(w.done));
    DEC_TRY(cudaStreamDestroy(w.stream));
}

void submit(Worker& w, int packets) {
    DEC_TRY(cudaSetDevice(0));
    const unsigned long long latency = 3000000ull + 2000000ull * static_cast<unsigned>(w.id);
    for (int p = 0; p < packets; ++p) {
        decode_packet<<<16, 256, 0, w.stream>>>(w.state, latency);
        DEC_TRY(cudaGetLastError());
    }
    DEC_TRY(cudaEventRecord(w.done, w.stream));
}

unsigned expected_symbol(int worker, int index, int packets) {
    unsigned s = static_cast<unsigned>(worker) * 7919u + static_cast<unsigned>(index);
    for (int p = 0; p < packets; ++p) s = advance(s);
    return s;
}

}  // namespace dec
