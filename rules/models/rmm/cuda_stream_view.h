// Streams as RMM hands them on: a view is a handle, and the execution policy made of one works in it.
// for: rmm::cuda_stream_default rmm::cuda_stream_legacy rmm::cuda_stream_per_thread
#pragma once

namespace rmm {

class cuda_stream_view {
 public:
    cudaStream_t stream_;
    constexpr cuda_stream_view() : stream_(0) {}
    constexpr cuda_stream_view(cudaStream_t stream) : stream_(stream) {}
    constexpr cudaStream_t value() const { return stream_; }
    constexpr operator cudaStream_t() const { return stream_; }
    bool is_default() const { return stream_ == 0; }
    void synchronize() const { cudaStreamSynchronize(stream_); }
    void synchronize_no_throw() const { cudaStreamSynchronize(stream_); }
};

static const cuda_stream_view cuda_stream_default;
static const cuda_stream_view cuda_stream_legacy(cudaStreamLegacy);
static const cuda_stream_view cuda_stream_per_thread(cudaStreamPerThread);

}  // namespace rmm
