// Policies of Thrust that work in a stream; the second one does not wait for it.
#pragma once

#include "cuda_stream_view.h"

namespace rmm {

class exec_policy {
 public:
    cudaStream_t stream_;
    exec_policy() : stream_(0) {}
    explicit exec_policy(cuda_stream_view stream) : stream_(stream.value()) {}
    template <class Resource>
    exec_policy(cuda_stream_view stream, Resource&&) : stream_(stream.value()) {}
    operator cudaStream_t() const { return thrust::cuda::par.on(stream_); }
};

class exec_policy_nosync {
 public:
    cudaStream_t stream_;
    exec_policy_nosync() : stream_(0) {}
    explicit exec_policy_nosync(cuda_stream_view stream) : stream_(stream.value()) {}
    template <class Resource>
    exec_policy_nosync(cuda_stream_view stream, Resource&&) : stream_(stream.value()) {}
    operator cudaStream_t() const { return thrust::cuda::par_nosync.on(stream_); }
};

}  // namespace rmm
