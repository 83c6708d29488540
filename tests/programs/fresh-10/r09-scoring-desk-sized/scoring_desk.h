#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "grow_buffer.h"
#include "mailbox.h"

namespace desk {

enum class Status { Ok, NotOpen, TooLong, DeviceFault };

struct DeskConfig {
    int threads = 256;
    std::size_t rows = 4096;
    std::size_t staging = 65536;
};

// A desk keeps one block resident on the device; requests reach it through a
// mailbox, so that a score costs no kernel launch.
class ScoringDesk {
public:
    explicit ScoringDesk(DeskConfig config) : config_(config) {}
    ~ScoringDesk();
    ScoringDesk(const ScoringDesk&) = delete;
    ScoringDesk& operator=(const ScoringDesk&) = delete;

    Status open();
    Status score(const std::vector<float>& rows, float bias, float* out);
    Status close();
    cudaError_t fault() const { return fault_; }

private:
    Status check(cudaError_t e);

    DeskConfig config_;
    GrowBuffer<float> features_;
    float* staging_ = nullptr;
    Mailbox* box_ = nullptr;
    cudaStream_t attend_ = nullptr;
    cudaStream_t upload_ = nullptr;
    unsigned tickets_ = 0;
    bool open_ = false;
    cudaError_t fault_ = cudaSuccess;
};

}  // namespace desk
