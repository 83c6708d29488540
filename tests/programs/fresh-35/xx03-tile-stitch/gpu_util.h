// Error handling and small owners for the mosaic tool.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace mosaic {

struct CudaFailure : std::runtime_error {
    CudaFailure(cudaError_t code, const std::string& where) : std::runtime_error(where), code(code) {}
    cudaError_t code;
};

inline void cudaCheck(cudaError_t code, const char* file, int line) {
    if (code != cudaSuccess) throw CudaFailure(code, std::string(file) + ":" + std::to_string(line));
}

#define MOSAIC_CUDA(call) ::mosaic::cudaCheck((call), __FILE__, __LINE__)

struct StreamDeleter {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct EventDeleter {
    void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
struct DeviceDeleter {
    void operator()(void* p) const { cudaFree(p); }
};
struct PinnedDeleter {
    void operator()(void* p) const { cudaFreeHost(p); }
};

using UniqueStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
using UniqueEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;
template <typename T>
using DevicePtr = std::unique_ptr<T, DeviceDeleter>;
template <typename T>
using PinnedPtr = std::unique_ptr<T, PinnedDeleter>;

inline UniqueStream makeStream() {
    cudaStream_t s = nullptr;
    MOSAIC_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return UniqueStream(s);
}

inline UniqueEvent makeEvent() {
    cudaEvent_t e = nullptr;
    MOSAIC_CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
    return UniqueEvent(e);
}

template <typename T>
DevicePtr<T> makeDevice(std::size_t count) {
    void* p = nullptr;
    MOSAIC_CUDA(cudaMalloc(&p, count * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

template <typename T>
PinnedPtr<T> makePinned(std::size_t count) {
    void* p = nullptr;
    MOSAIC_CUDA(cudaMallocHost(&p, count * sizeof(T)));
    return PinnedPtr<T>(static_cast<T*>(p));
}

// Events that travel between the threads of the tool.
class EventPool {
public:
    UniqueEvent take() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!idle_.empty()) {
                UniqueEvent e = std::move(idle_.back());
                idle_.pop_back();
                return e;
            }
        }
        return makeEvent();
    }

    void give(UniqueEvent e) {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(std::move(e));
    }

private:
    std::mutex mutex_;
    std::vector<UniqueEvent> idle_;
};

}  // namespace mosaic
