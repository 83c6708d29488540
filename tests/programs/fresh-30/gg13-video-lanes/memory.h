#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace video {

class GpuFailure : public std::runtime_error {
public:
    explicit GpuFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void run(cudaError_t e) {
    if (e != cudaSuccess) throw GpuFailure(e);
}

// The pool all frame memory comes from.
class MemoryDomain {
public:
    struct Policy {
        uint64_t keep = UINT64_MAX;
        int across_streams_by_events = 1;
        int across_streams_when_idle = 1;
        int across_streams_by_waiting = 0;
    };

    explicit MemoryDomain(const Policy& policy) {
        cudaMemPoolProps props{};
        props.allocType = cudaMemAllocationTypePinned;
        props.location.type = cudaMemLocationTypeDevice;
        run(cudaGetDevice(&props.location.id));
        run(cudaMemPoolCreate(&pool_, &props));
        uint64_t keep = policy.keep;
        run(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
        set(cudaMemPoolReuseFollowEventDependencies, policy.across_streams_by_events);
        set(cudaMemPoolReuseAllowOpportunistic, policy.across_streams_when_idle);
        set(cudaMemPoolReuseAllowInternalDependencies, policy.across_streams_by_waiting);
    }
    ~MemoryDomain() { cudaMemPoolDestroy(pool_); }
    MemoryDomain(const MemoryDomain&) = delete;
    MemoryDomain& operator=(const MemoryDomain&) = delete;

    void* take(size_t bytes, cudaStream_t s) {
        void* p = nullptr;
        run(cudaMallocFromPoolAsync(&p, bytes, pool_, s));
        return p;
    }

private:
    void set(cudaMemPoolAttr attr, int value) { run(cudaMemPoolSetAttribute(pool_, attr, &value)); }

    cudaMemPool_t pool_ = nullptr;
};

// A piece of device memory for the length of a scope, in a stream's order.
template <class T>
class Plane {
public:
    Plane(MemoryDomain& domain, size_t n, cudaStream_t s)
        : p_(static_cast<T*>(domain.take(n * sizeof(T), s))), stream_(s) {}
    ~Plane() {
        if (p_) cudaFreeAsync(p_, stream_);
    }
    Plane(Plane&& o) noexcept : p_(std::exchange(o.p_, nullptr)), stream_(o.stream_) {}
    Plane(const Plane&) = delete;
    Plane& operator=(const Plane&) = delete;
    T* get() const { return p_; }

private:
    T* p_;
    cudaStream_t stream_;
};

}  // namespace video
