#include "engine.h"

#include <cstdio>
#include <cstdlib>

void guard(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

namespace {

constexpr unsigned long long kModelNs = 15000000ull;

__global__ void model(const uint32_t* in, uint32_t* out, int n, unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] * 2654435761u + i;
}

__global__ void checksum(const uint32_t* data, int n, uint32_t* sum) {
    __shared__ uint32_t total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    uint32_t mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine ^= data[i];
    atomicXor(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) *sum = total;
}

}  // namespace

Engine::Engine(int workers, std::vector<Hook> hooks) : workers_(workers), hooks_(std::move(hooks)) {
    for (auto& s : workers_) guard(cudaStreamCreate(&s));
}

Engine::~Engine() {
    for (auto s : workers_) cudaStreamDestroy(s);
}

void Engine::serve(const Request& r) {
    cudaStream_t s = workers_[r.id % workers_.size()];
    model<<<1, 256, 0, s>>>(r.input, r.output, r.n, kModelNs);
    guard(cudaGetLastError());
    for (auto& h : hooks_) h(r, s);
}

void Engine::flush() {
    for (auto s : workers_) guard(cudaStreamSynchronize(s));
}

Audit::Audit(int requests) : requests_(requests) { guard(cudaMalloc(&sums_, requests_ * sizeof(uint32_t))); }

Audit::~Audit() { cudaFree(sums_); }

Hook Audit::hook() {
    return [sums = sums_](const Request& r, cudaStream_t) {
        checksum<<<1, 256>>>(r.output, r.n, sums + r.id);
        guard(cudaGetLastError());
    };
}

std::vector<uint32_t> Audit::read() const {
    std::vector<uint32_t> out(requests_);
    guard(cudaMemcpy(out.data(), sums_, requests_ * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    return out;
}
