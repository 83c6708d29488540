// A stream that lives as long as its object.
#pragma once

#include "cuda_stream_view.h"

namespace rmm {

class cuda_stream {
 public:
    cudaStream_t stream_;
    cuda_stream() { cudaStreamCreate(&stream_); }
    cuda_stream(const cuda_stream& other) = delete;
    cuda_stream(cuda_stream&& other) : stream_(other.stream_) { other.stream_ = 0; }
    ~cuda_stream() {
        if (stream_ != 0) cudaStreamDestroy(stream_);
    }
    bool is_valid() const { return stream_ != 0; }
    cudaStream_t value() const { return stream_; }
    operator cudaStream_t() const { return stream_; }
    cuda_stream_view view() const { return cuda_stream_view(stream_); }
    operator cuda_stream_view() const { return cuda_stream_view(stream_); }
    void synchronize() const { cudaStreamSynchronize(stream_); }
    void synchronize_no_throw() const { cudaStreamSynchronize(stream_); }
};

}  // namespace rmm
