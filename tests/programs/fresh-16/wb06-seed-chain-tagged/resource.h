#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstddef>
#include <map>
#include <vector>

namespace seedlib {

#define SEED_TRY(call)                                          \
    do {                                                        \
        const cudaError_t rc_ = (call);                         \
        if (rc_ != cudaSuccess) ::seedlib::bail(rc_);           \
    } while (0)

[[noreturn]] inline void bail(cudaError_t rc) {
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Stream-aware device memory, after the usual memory-resource shape.
class DeviceResource {
public:
    virtual ~DeviceResource() = default;
    virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;
    virtual void deallocate(void* p, std::size_t bytes, cudaStream_t stream) = 0;
};

// Plain cudaMalloc underneath.
class UpstreamResource final : public DeviceResource {
public:
    void* allocate(std::size_t bytes, cudaStream_t) override {
        void* p = nullptr;
        SEED_TRY(cudaMalloc(&p, bytes));
        return p;
    }
    void deallocate(void* p, std::size_t, cudaStream_t) override { SEED_TRY(cudaFree(p)); }
};

// Keeps blocks in power-of-two bins and hands them out again.
class BinnedResource final : public DeviceResource {
public:
    explicit BinnedResource(DeviceResource& upstream) : upstream_(upstream) {}
    ~BinnedResource() override;
    void* allocate(std::size_t bytes, cudaStream_t stream) override;
    void deallocate(void* p, std::size_t bytes, cudaStream_t stream) override;

private:
    struct Entry {
        void* ptr;
        cudaStream_t owner;
        cudaEvent_t last_use;
    };
    static std::size_t bin_of(std::size_t bytes);
    DeviceResource& upstream_;
    std::map<std::size_t, std::vector<Entry>> bins_;
    std::vector<cudaEvent_t> events_;
};

template <class T>
class DeviceArray {
public:
    DeviceArray(std::size_t n, DeviceResource& mr, cudaStream_t stream)
        : mr_(&mr), n_(n), stream_(stream), p_(static_cast<T*>(mr.allocate(n * sizeof(T), stream))) {}
    ~DeviceArray() { mr_->deallocate(p_, n_ * sizeof(T), stream_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* data() const { return p_; }
    std::size_t size() const { return n_; }

private:
    DeviceResource* mr_;
    std::size_t n_;
    cudaStream_t stream_;
    T* p_;
};

}  // namespace seedlib
