#pragma once
#include <cstddef>
#include <utility>
#include "memory_resource.h"

namespace mem {

// A typed block that belongs to one stream and goes back at the end of scope.
template <class T>
class device_array {
public:
    device_array(std::size_t n, device_resource& mr, cudaStream_t stream)
        : mr_(&mr), n_(n), stream_(stream), p_(static_cast<T*>(mr.allocate(n * sizeof(T), stream)))
    {
    }
    ~device_array() { mr_->deallocate(p_, n_ * sizeof(T), stream_); }
    device_array(device_array&& o) noexcept
        : mr_(o.mr_), n_(o.n_), stream_(o.stream_), p_(std::exchange(o.p_, nullptr))
    {
    }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;
    T* data() const { return p_; }
    std::size_t size() const { return n_; }

private:
    device_resource* mr_;
    std::size_t n_;
    cudaStream_t stream_;
    T* p_;
};

}  // namespace mem
