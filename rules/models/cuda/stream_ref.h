// Streams as libcu++ hands them on: a reference is a handle that nobody owns.
#pragma once

namespace cuda {

class stream_ref {
 public:
    cudaStream_t stream_;
    stream_ref(cudaStream_t stream) : stream_(stream) {}
    cudaStream_t get() const { return stream_; }
    void sync() const { cudaStreamSynchronize(stream_); }
    void wait() const { cudaStreamSynchronize(stream_); }
    bool is_done() const { return cudaStreamQuery(stream_) == cudaSuccess; }
    bool ready() const { return cudaStreamQuery(stream_) == cudaSuccess; }
};

}  // namespace cuda
