#include "stages.h"

namespace vid {
namespace {

constexpr int kCoders = 64;

__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void demosaic(unsigned* out, int frame) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPixels) out[i] = static_cast<unsigned>(i) * 2246822519u + static_cast<unsigned>(frame) * 97u;
}

__global__ void thumbnail(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPixels / 64) out[i] = in[i * 64];
}

__global__ void entropy_code(const unsigned* in, unsigned* out) {
  const unsigned long long until = now_ns() + 40000000ull;
  while (now_ns() < until) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPixels; i += gridDim.x * blockDim.x) out[i] = __brev(in[i]);
}

class SinkBase : public Sink {
 public:
  explicit SinkBase(std::size_t words) : words_(words) {
    CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUDA_TRY(cudaMalloc(&out_, sizeof(unsigned) * words_ * kFrames));
  }
  ~SinkBase() override {
    cudaStreamSynchronize(stream_);
    cudaFree(out_);
    cudaStreamDestroy(stream_);
  }

 protected:
  unsigned* slot(int index) { return out_ + words_ * index; }
  std::vector<unsigned> fetch() {
    std::vector<unsigned> host(words_ * kFrames);
    CUDA_TRY(cudaStreamSynchronize(stream_));
    CUDA_TRY(cudaMemcpy(host.data(), out_, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return host;
  }

  std::size_t words_;
  cudaStream_t stream_ = nullptr;
  unsigned* out_ = nullptr;
};

class Preview final : public SinkBase {
 public:
  Preview() : SinkBase(kPixels / 64) {}
  void consume(const Frame& frame, int index, cudaEvent_t ready) override {
    CUDA_TRY(cudaStreamWaitEvent(stream_, ready, 0));
    BlockPool::add_guest(frame, stream_);
    thumbnail<<<(kPixels / 64 + 127) / 128, 128, 0, stream_>>>(static_cast<const unsigned*>(frame->data), slot(index));
    CUDA_TRY(cudaGetLastError());
  }
  long mismatches() override {
    const auto got = fetch();
    long bad = 0;
    for (int f = 0; f < kFrames; ++f)
      for (std::size_t i = 0; i < words_; ++i) bad += got[f * words_ + i] != Sensor::pixel(f, static_cast<int>(i) * 64);
    return bad;
  }
};

class Archive final : public SinkBase {
 public:
  Archive() : SinkBase(kPixels) {}
  void consume(const Frame& frame, int index, cudaEvent_t ready) override {
    CUDA_TRY(cudaStreamWaitEvent(stream_, ready, 0));
    entropy_code<<<kCoders, 256, 0, stream_>>>(static_cast<const unsigned*>(frame->data), slot(index));
    CUDA_TRY(cudaGetLastError());
  }
  long mismatches() override {
    const auto got = fetch();
    long bad = 0;
    for (int f = 0; f < kFrames; ++f)
      for (int i = 0; i < kPixels; ++i) {
        unsigned v = Sensor::pixel(f, i), r = 0;
        for (int b = 0; b < 32; ++b) r |= ((v >> b) & 1u) << (31 - b);
        bad += got[static_cast<std::size_t>(f) * words_ + i] != r;
      }
    return bad;
  }
};

}  // namespace

Sensor::Sensor() {
  CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  CUDA_TRY(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
}

Sensor::~Sensor() {
  cudaStreamSynchronize(stream_);
  cudaEventDestroy(ready_);
  cudaStreamDestroy(stream_);
}

Frame Sensor::next(BlockPool& pool, int index) {
  Frame frame = pool.acquire(sizeof(unsigned) * kPixels, stream_);
  demosaic<<<(kPixels + 255) / 256, 256, 0, stream_>>>(static_cast<unsigned*>(frame->data), index);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaEventRecord(ready_, stream_));
  return frame;
}

std::unique_ptr<Sink> make_preview() { return std::make_unique<Preview>(); }
std::unique_ptr<Sink> make_archive() { return std::make_unique<Archive>(); }

}  // namespace vid
