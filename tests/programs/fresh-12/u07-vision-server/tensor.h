#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vis {

void verify(cudaError_t e, const char* what);

// Device memory from the stream-ordered pool; `home` is the stream that owns it.
class Storage {
public:
    Storage(std::size_t n, cudaStream_t home) : home_(home)
    {
        verify(cudaMallocAsync(reinterpret_cast<void**>(&data_), n * sizeof(std::uint32_t), home_),
               "cudaMallocAsync");
    }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage()
    {
        for (cudaStream_t user : users_) {
            cudaEvent_t ev;
            verify(cudaEventCreateWithFlags(&ev, cudaEventDisableTiming), "cudaEventCreate");
            verify(cudaEventRecord(ev, user), "cudaEventRecord");
            verify(cudaStreamWaitEvent(home_, ev, 0), "cudaStreamWaitEvent");
            verify(cudaEventDestroy(ev), "cudaEventDestroy");
        }
        verify(cudaFreeAsync(data_, home_), "cudaFreeAsync");
    }

    void usedOn(cudaStream_t s) { users_.push_back(s); }
    std::uint32_t* data() const { return data_; }

private:
    cudaStream_t home_;
    std::uint32_t* data_ = nullptr;
    std::vector<cudaStream_t> users_;
};

struct Tensor {
    std::shared_ptr<Storage> storage;
    std::size_t size = 0;

    static Tensor empty(std::size_t n, cudaStream_t home)
    {
        return {std::make_shared<Storage>(n, home), n};
    }
    std::uint32_t* data() const { return storage->data(); }
};

}  // namespace vis
