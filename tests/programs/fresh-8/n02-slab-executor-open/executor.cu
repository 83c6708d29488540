#include "executor.h"

#include <cstring>
#include <memory>

#include "check.h"

namespace strata {
namespace {

constexpr unsigned long long kPassNanos = 60ull * 1000 * 1000;

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void agc(float* trace, int n, float gain, unsigned long long ns) {
    const unsigned long long t0 = now_ns();
    while (now_ns() - t0 < ns) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        trace[i] = trace[i] * gain + 1.0f;
    }
}

struct Ticket {
    SlabPool* pool;
    Slab* slab;
    std::vector<float>* out;
    std::size_t n;
};

void CUDART_CB retire(void* p) {
    std::unique_ptr<Ticket> t(static_cast<Ticket*>(p));
    t->out->assign(t->slab->host, t->slab->host + t->n);
    t->pool->put(t->slab);
}

}  // namespace

TraceExecutor::TraceExecutor(SlabPool& pool, int lanes) : pool_(pool), lanes_(lanes) {
    for (auto& s : lanes_) {
        STRATA_OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    pool_.whenShort([this] { settle(); });
}

TraceExecutor::~TraceExecutor() {
    settle();
    for (auto s : lanes_) {
        cudaStreamDestroy(s);
    }
}

void TraceExecutor::settle() {
    for (auto s : lanes_) {
        STRATA_OK(cudaStreamSynchronize(s));
    }
}

void TraceExecutor::submit(const std::vector<float>& trace, float gain, std::vector<float>* out) {
    Slab* slab = pool_.take();
    cudaStream_t lane = lanes_[turn_++ % lanes_.size()];

    const std::size_t bytes = trace.size() * sizeof(float);
    std::memcpy(slab->host, trace.data(), bytes);
    STRATA_OK(cudaMemcpyAsync(slab->dev, slab->host, bytes, cudaMemcpyHostToDevice, lane));
    agc<<<8, 128, 0, lane>>>(slab->dev, static_cast<int>(trace.size()), gain, kPassNanos);
    STRATA_OK(cudaGetLastError());
    STRATA_OK(cudaMemcpyAsync(slab->host, slab->dev, bytes, cudaMemcpyDeviceToHost, lane));

    auto t = std::make_unique<Ticket>(Ticket{&pool_, slab, out, trace.size()});
    STRATA_OK(cudaLaunchHostFunc(lane, retire, t.get()));
    t.release();
}

}  // namespace strata
