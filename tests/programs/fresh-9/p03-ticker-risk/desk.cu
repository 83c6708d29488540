#include "desk.h"

namespace desk {
namespace {

__device__ void model(unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void simulate(std::uint32_t* paths, int n, std::uint32_t tick, unsigned long long ns) {
    model(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) paths[i] = i * 13u + tick * 101u;
}

__global__ void value_at_risk(const std::uint32_t* paths, std::uint32_t* out, int n, unsigned long long ns) {
    model(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = paths[i] >> 4;
}

__global__ void sensitivities(const std::uint32_t* paths, std::uint32_t* out, int n, unsigned long long ns) {
    model(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = paths[i] ^ 0x5au;
}

__global__ void settle(const std::uint32_t* var, const std::uint32_t* delta, int n, std::uint32_t* total) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(total, var[i] + delta[i]);
}

}  // namespace

Revaluation::Revaluation(const Book& b) : book_(b) {
    const std::size_t bytes = sizeof(std::uint32_t) * b.positions;
    gpu(cudaMalloc(&paths_, bytes));
    gpu(cudaMalloc(&var_, bytes));
    gpu(cudaMalloc(&delta_, bytes));
    gpu(cudaMalloc(&total_, sizeof(std::uint32_t)));
}

Revaluation::~Revaluation() {
    cudaStreamSynchronize(lanes_.market);
    cudaStreamSynchronize(lanes_.greeks);
    for (std::uint32_t* p : {paths_, var_, delta_, total_}) cudaFree(p);
}

void Revaluation::enqueue(std::uint32_t tick) {
    closed_.hold(lanes_.market);
    simulate<<<24, 256, 0, lanes_.market>>>(paths_, book_.positions, tick, book_.paths_ns);
    gpu(cudaGetLastError());
    scenarios_.record(lanes_.market);
    value_at_risk<<<24, 256, 0, lanes_.market>>>(paths_, var_, book_.positions, book_.var_ns);
    gpu(cudaGetLastError());
    risk_.record(lanes_.market);

    scenarios_.hold(lanes_.greeks);
    gpu(cudaMemsetAsync(total_, 0, sizeof(std::uint32_t), lanes_.greeks));
    sensitivities<<<24, 256, 0, lanes_.greeks>>>(paths_, delta_, book_.positions, book_.delta_ns);
    gpu(cudaGetLastError());
    risk_.hold(lanes_.greeks);
    settle<<<24, 256, 0, lanes_.greeks>>>(var_, delta_, book_.positions, total_);
    gpu(cudaGetLastError());
    closed_.record(lanes_.greeks);
}

std::uint32_t Revaluation::total() const {
    std::uint32_t v = 0;
    gpu(cudaMemcpyAsync(&v, total_, sizeof(v), cudaMemcpyDeviceToHost, lanes_.greeks));
    gpu(cudaStreamSynchronize(lanes_.greeks));
    return v;
}

std::uint32_t Revaluation::expected(const Book& b, std::uint32_t tick) {
    std::uint32_t sum = 0;
    for (int i = 0; i < b.positions; ++i) {
        const std::uint32_t p = i * 13u + tick * 101u;
        sum += (p >> 4) + (p ^ 0x5au);
    }
    return sum;
}

Latency Stopwatch::steady_state(Revaluation& r, int warmup, int ticks) {
    std::uint32_t tick = 0;
    for (int i = 0; i < warmup; ++i) r.enqueue(++tick);
    end_.record(r.last());
    end_.wait();

    const auto t0 = std::chrono::steady_clock::now();
    begin_.record(r.first());
    for (int i = 0; i < ticks; ++i) r.enqueue(++tick);
    end_.record(r.last());
    end_.wait();
    const auto t1 = std::chrono::steady_clock::now();

    Latency l;
    l.device_ms = end_.since(begin_) / ticks;
    l.host_ms = std::chrono::duration<double, std::milli>(t1 - t0).count() / ticks;
    return l;
}

}  // namespace desk
