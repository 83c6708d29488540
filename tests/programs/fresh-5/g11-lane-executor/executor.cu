#include "executor.h"

namespace exec {

namespace {

__global__ void bump(unsigned* counters, int kind) { atomicAdd(counters + kind, 1u); }

}  // namespace

Telemetry::Telemetry() {
    const std::size_t bytes = std::size_t(Kind::Count) * sizeof(unsigned);
    EXEC_CHECK(cudaMalloc(reinterpret_cast<void**>(&counters_), bytes));
    EXEC_CHECK(cudaMemset(counters_, 0, bytes));
    EXEC_CHECK(cudaDeviceSynchronize());
}

Telemetry::~Telemetry() { cudaFree(counters_); }

void Telemetry::mark(Kind kind, cudaStream_t stream) {
    bump<<<1, 1, 0, stream>>>(counters_, int(kind));
    EXEC_CHECK(cudaGetLastError());
}

std::vector<unsigned> Telemetry::snapshot() const {
    std::vector<unsigned> host(std::size_t(Kind::Count));
    EXEC_CHECK(cudaMemcpy(host.data(), counters_, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return host;
}

Executor::Executor(int lanes) : lanes_(lanes) {
    for (cudaStream_t& lane : lanes_) EXEC_CHECK(cudaStreamCreate(&lane));
}

Executor::~Executor() {
    for (cudaStream_t lane : lanes_) {
        cudaStreamSynchronize(lane);
        cudaStreamDestroy(lane);
    }
}

void Executor::submit(Kind kind, const Task& task) {
    cudaStream_t lane = lanes_[next_];
    next_ = (next_ + 1) % lanes_.size();
    task(lane);
    telemetry_.mark(kind);
}

void Executor::join() {
    for (cudaStream_t lane : lanes_) EXEC_CHECK(cudaStreamSynchronize(lane));
}

}  // namespace exec
