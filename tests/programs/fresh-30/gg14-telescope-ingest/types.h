#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

namespace ingest {

inline void okay(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// Storage for what comes from the telescope.
template <class T>
struct FrontendStorage {
    using value_type = T;
    FrontendStorage() = default;
    template <class U>
    FrontendStorage(const FrontendStorage<U>&) noexcept {}

    T* allocate(size_t n) {
        void* p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocPortable) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, size_t) noexcept { cudaFreeHost(p); }

    template <class U>
    bool operator==(const FrontendStorage<U>&) const noexcept {
        return true;
    }
    template <class U>
    bool operator!=(const FrontendStorage<U>&) const noexcept {
        return false;
    }
};

using Samples = std::vector<uint32_t, FrontendStorage<uint32_t>>;
using Results = std::vector<unsigned long long, FrontendStorage<unsigned long long>>;

// Streams by role.
enum class Role { kFeed, kWork };

inline cudaStream_t open_stream(Role role) {
    int least = 0, greatest = 0;
    okay(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t s = nullptr;
    okay(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, role == Role::kFeed ? greatest : least));
    return s;
}

}  // namespace ingest
