#pragma once
#include "host_resource.h"

#include <utility>

namespace dec {

class host_tensor {
public:
    explicit host_tensor(std::size_t count)
        : resource_(host_resource::current()),
          count_(count),
          data_(static_cast<int*>(resource_->allocate(count * sizeof(int))))
    {
    }
    host_tensor(host_tensor&& o) noexcept
        : resource_(o.resource_), count_(o.count_), data_(std::exchange(o.data_, nullptr))
    {
    }
    host_tensor& operator=(host_tensor&&) = delete;
    ~host_tensor()
    {
        if (data_) resource_->deallocate(data_);
    }

    int* data() const { return data_; }
    std::size_t bytes() const { return count_ * sizeof(int); }

private:
    host_resource* resource_;
    std::size_t count_;
    int* data_;
};

}  // namespace dec
