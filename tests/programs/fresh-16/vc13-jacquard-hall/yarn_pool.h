#pragma once
// Yarn store of one loom: stream-ordered device memory of its own.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <cuda.h>

namespace hall {

inline void drv(CUresult rc) {
    if (rc == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(rc, &name);
    throw std::runtime_error(name ? name : "CUDA_ERROR_UNKNOWN");
}

class YarnPool {
public:
    explicit YarnPool(int device) {
        CUmemPoolProps props{};
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
        props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        props.location.id = device;
        drv(cuMemPoolCreate(&pool_, &props));
        cuuint64_t keep = ~static_cast<cuuint64_t>(0);
        drv(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    }
    ~YarnPool() { cuMemPoolDestroy(pool_); }
    YarnPool(const YarnPool&) = delete;
    YarnPool& operator=(const YarnPool&) = delete;

    CUdeviceptr take(std::size_t bytes, CUstream stream) {
        CUdeviceptr p = 0;
        drv(cuMemAllocFromPoolAsync(&p, bytes, pool_, stream));
        return p;
    }

private:
    CUmemoryPool pool_ = nullptr;
};

// A length of yarn that goes back to its store in the order of the stream it was cut for.
template <class T>
class Yarn {
public:
    Yarn(YarnPool& pool, std::size_t count, CUstream stream) : stream_(stream), base_(pool.take(count * sizeof(T), stream)) {}
    ~Yarn() { cuMemFreeAsync(base_, stream_); }
    Yarn(const Yarn&) = delete;
    Yarn& operator=(const Yarn&) = delete;

    T* get() const { return reinterpret_cast<T*>(base_); }

private:
    CUstream stream_;
    CUdeviceptr base_;
};

}  // namespace hall
