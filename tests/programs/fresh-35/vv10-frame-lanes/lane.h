#pragma once
#include "locked_vector.h"
#include "operators.h"
#include "workspace.h"

namespace flume {

// Takes one clip through the graph, frame after frame, on its own stream.
class Lane {
 public:
  Lane(Workspace& ws, int frames, int pixels)
      : ws_(ws),
        frames_(frames),
        pixels_(pixels),
        source_(std::size_t(frames) * pixels),
        result_(std::size_t(frames) * pixels) {
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~Lane() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }

  void Submit(const Graph& graph, int frame) {
    const std::size_t at = std::size_t(frame) * pixels_;
    const std::size_t bytes = pixels_ * sizeof(Pixel);
    Workspace::Scratch<Pixel> a(ws_, pixels_, stream_);
    Workspace::Scratch<Pixel> b(ws_, pixels_, stream_);
    Pixel *in = a.data(), *out = b.data();
    Check(cudaMemcpyAsync(in, source_.get().data() + at, bytes,
                          cudaMemcpyHostToDevice, stream_));
    for (const auto& op : graph.ops()) {
      op->Run(in, out, pixels_, stream_);
      std::swap(in, out);
    }
    Check(cudaMemcpyAsync(result_.get().data() + at, in, bytes,
                          cudaMemcpyDeviceToHost, stream_));
  }

  void Wait() { Check(cudaStreamSynchronize(stream_)); }

  int frames() const { return frames_; }
  LockedVector<Pixel>::Vector& source() { return source_.get(); }
  const LockedVector<Pixel>::Vector& result() const { return result_.get(); }

 private:
  Workspace& ws_;
  int frames_;
  int pixels_;
  LockedVector<Pixel> source_;
  LockedVector<Pixel> result_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace flume
