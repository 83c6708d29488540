#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace vox {

struct cuda_failure : std::runtime_error {
    cudaError_t code;
    explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)), code(e) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw cuda_failure(e);
}

// Stream-ordered memory resource with a pool of its own.
class memory_resource {
  public:
    explicit memory_resource(int device, std::uint64_t keep = UINT64_MAX) {
        cudaMemPoolProps props{};
        props.allocType = cudaMemAllocationTypePinned;
        props.location.type = cudaMemLocationTypeDevice;
        props.location.id = device;
        check(cudaMemPoolCreate(&pool_, &props));
        check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    ~memory_resource() { cudaMemPoolDestroy(pool_); }
    memory_resource(const memory_resource&) = delete;
    memory_resource& operator=(const memory_resource&) = delete;

    void* allocate(std::size_t bytes, cudaStream_t stream) {
        void* p = nullptr;
        check(cudaMallocFromPoolAsync(&p, bytes, pool_, stream));
        return p;
    }
    void deallocate(void* p, cudaStream_t stream) noexcept { cudaFreeAsync(p, stream); }

  private:
    cudaMemPool_t pool_ = nullptr;
};

// Uninitialised typed storage. Allocation and deallocation are ordered on stream().
template <class T>
class device_buffer {
  public:
    device_buffer(std::size_t n, cudaStream_t stream, memory_resource& mr)
        : mr_(&mr), stream_(stream), size_(n),
          data_(static_cast<T*>(mr.allocate(n * sizeof(T), stream))) {}
    device_buffer(device_buffer&& o) noexcept
        : mr_(o.mr_), stream_(o.stream_), size_(std::exchange(o.size_, 0)),
          data_(std::exchange(o.data_, nullptr)) {}
    device_buffer(const device_buffer&) = delete;
    device_buffer& operator=(const device_buffer&) = delete;
    ~device_buffer() {
        if (data_) mr_->deallocate(data_, stream_);
    }

    T* data() noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    cudaStream_t stream() const noexcept { return stream_; }
    void set_stream(cudaStream_t s) noexcept { stream_ = s; }

  private:
    memory_resource* mr_;
    cudaStream_t stream_;
    std::size_t size_;
    T* data_;
};

}  // namespace vox
