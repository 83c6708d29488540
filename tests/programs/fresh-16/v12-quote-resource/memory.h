#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

namespace pricing {

void enforce(cudaError_t e, const char* what);

// Polymorphic, stream-ordered memory resource.
class resource {
public:
    virtual ~resource() = default;
    virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;
    virtual void deallocate(void* p, cudaStream_t stream) noexcept = 0;
};

class pooled_resource final : public resource {
public:
    explicit pooled_resource(int device);
    ~pooled_resource() override;
    void* allocate(std::size_t bytes, cudaStream_t stream) override;
    void deallocate(void* p, cudaStream_t stream) noexcept override;

private:
    cudaMemPool_t pool_ = nullptr;
};

template <typename T>
class device_vector {
public:
    device_vector(std::size_t n, cudaStream_t stream, resource& mr)
        : mr_(&mr), stream_(stream), data_(static_cast<T*>(mr.allocate(n * sizeof(T), stream)))
    {
    }
    device_vector(const device_vector&) = delete;
    device_vector& operator=(const device_vector&) = delete;
    ~device_vector() { mr_->deallocate(data_, stream_); }
    T* data() { return data_; }

private:
    resource* mr_;
    cudaStream_t stream_;
    T* data_;
};

}  // namespace pricing
