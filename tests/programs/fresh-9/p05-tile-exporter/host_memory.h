#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

namespace tiles {

inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(2);
}

// Where host copies of tiles live.
class HostResource {
  public:
    virtual ~HostResource() = default;
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* p) noexcept = 0;
};

class HeapResource final : public HostResource {
  public:
    void* allocate(std::size_t bytes) override { return ::operator new(bytes, std::align_val_t(4096)); }
    void release(void* p) noexcept override { ::operator delete(p, std::align_val_t(4096)); }
};

class PageLockedResource final : public HostResource {
  public:
    void* allocate(std::size_t bytes) override {
        void* p = nullptr;
        require(cudaHostAlloc(&p, bytes, cudaHostAllocPortable));
        return p;
    }
    void release(void* p) noexcept override { cudaFreeHost(p); }
};

template <class T>
class HostArray {
  public:
    HostArray(std::size_t n, std::shared_ptr<HostResource> r)
        : r_(std::move(r)), p_(static_cast<T*>(r_->allocate(n * sizeof(T)))) {}
    HostArray(HostArray&& o) noexcept : r_(std::move(o.r_)), p_(o.p_) { o.p_ = nullptr; }
    HostArray(const HostArray&) = delete;
    ~HostArray() {
        if (p_) r_->release(p_);
    }
    T* data() const { return p_; }
    const T& operator[](std::size_t i) const { return p_[i]; }

  private:
    std::shared_ptr<HostResource> r_;
    T* p_;
};

}  // namespace tiles
