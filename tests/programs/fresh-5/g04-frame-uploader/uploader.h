// Staging ring for host-to-device uploads.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace ingest {

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

void check(cudaError_t e);

// Writes up to `count` samples into the staging memory it is handed.
using Producer = std::function<void(float* staging, std::size_t count)>;

class Uploader {
public:
    Uploader(std::size_t slot_count, std::size_t samples_per_slot);
    ~Uploader();
    Uploader(const Uploader&) = delete;
    Uploader& operator=(const Uploader&) = delete;

    // Uploads through the uploader's own stream.
    void upload(float* device, std::size_t count, const Producer& produce);

    // Uploads in the order of the caller's stream.
    void upload(float* device, std::size_t count, const Producer& produce, cudaStream_t stream);

    cudaStream_t stream() const { return stream_; }
    std::size_t stalls() const { return stalls_; }

private:
    struct Slot {
        float* host = nullptr;
        cudaEvent_t idle = nullptr;
    };

    Slot& next_slot();

    std::size_t capacity_;
    std::vector<Slot> slots_;
    std::size_t cursor_ = 0;
    std::size_t stalls_ = 0;
    cudaStream_t stream_ = nullptr;
};

}  // namespace ingest
