// Executor that spreads device tasks over lanes and counts them by kind on the device.
#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace exec {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define EXEC_CHECK(call)                                        \
    do {                                                        \
        const cudaError_t exec_rc_ = (call);                    \
        if (exec_rc_ != cudaSuccess) throw ::exec::CudaError(exec_rc_); \
    } while (0)

enum class Kind : int { Price = 0, Greeks = 1, Count };

// Counters that dashboards read from the device.
class Telemetry {
public:
    Telemetry();
    ~Telemetry();
    Telemetry(const Telemetry&) = delete;
    Telemetry& operator=(const Telemetry&) = delete;

    void mark(Kind kind, cudaStream_t stream = nullptr);
    std::vector<unsigned> snapshot() const;

private:
    unsigned* counters_ = nullptr;
};

class Executor {
public:
    using Task = std::function<void(cudaStream_t)>;

    explicit Executor(int lanes);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    void submit(Kind kind, const Task& task);
    void join();
    const Telemetry& telemetry() const { return telemetry_; }

private:
    std::vector<cudaStream_t> lanes_;
    std::size_t next_ = 0;
    Telemetry telemetry_;
};

}  // namespace exec
