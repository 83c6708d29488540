#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace wstream {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Stream-ordered memory for the dense layers.
class LayerPool {
public:
    LayerPool() {
        cudaMemPoolProps props{};
        props.allocType = cudaMemAllocationTypePinned;
        props.handleTypes = cudaMemHandleTypeNone;
        props.location.type = cudaMemLocationTypeDevice;
        props.location.id = 0;
        ok(cudaMemPoolCreate(&pool_, &props));
        std::uint64_t keep = UINT64_MAX;
        ok(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
        int off = 0;
        ok(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &off));
    }
    ~LayerPool() { cudaMemPoolDestroy(pool_); }
    LayerPool(const LayerPool&) = delete;
    LayerPool& operator=(const LayerPool&) = delete;

    template <class T> T* take(size_t n, cudaStream_t stream) {
        void* p = nullptr;
        ok(cudaMallocFromPoolAsync(&p, n * sizeof(T), pool_, stream));
        return static_cast<T*>(p);
    }
    void give(void* p, cudaStream_t stream) { ok(cudaFreeAsync(p, stream)); }

private:
    cudaMemPool_t pool_ = nullptr;
};

struct Stream {
    cudaStream_t id = nullptr;
    Stream() { ok(cudaStreamCreateWithFlags(&id, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(id); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return id; }
};

struct Event {
    cudaEvent_t id = nullptr;
    Event() { ok(cudaEventCreateWithFlags(&id, cudaEventDisableTiming)); }
    Event(Event&& o) noexcept : id(std::exchange(o.id, nullptr)) {}
    ~Event() {
        if (id) cudaEventDestroy(id);
    }
    operator cudaEvent_t() const { return id; }
};

}  // namespace wstream
