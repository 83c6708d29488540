#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace solver {

#define SOLVER_OK(x)                                                  \
    do {                                                              \
        cudaError_t e_ = (x);                                         \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

using Task = std::function<void(cudaStream_t)>;

// Spreads the tasks of a phase over worker streams. The control stream is the
// one that callers know.
class Executor {
public:
    explicit Executor(unsigned workers);
    ~Executor();

    cudaStream_t control() const { return control_; }
    void begin_phase();
    void submit(const Task& task);
    void end_phase();
    // Host wait for every phase so far.
    void drain();
private:
    struct Worker {
        cudaStream_t stream = nullptr;
        cudaEvent_t done = nullptr;
        bool used = false;
    };
    cudaStream_t control_ = nullptr;
    cudaEvent_t phase_ = nullptr;
    std::vector<Worker> workers_;
    std::size_t next_ = 0;
};
}  // namespace solver
