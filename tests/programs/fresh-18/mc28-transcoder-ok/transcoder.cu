// Video transcoder: demux thread -> GPU scaler -> encoder sink, with rings of packets and frames.
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

static void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    std::exit(EXIT_FAILURE);
  }
}
#define CU(call) check((call), #call)

constexpr int kW = 1280, kH = 720, kOutW = 640, kOutH = 360;
constexpr size_t kInBytes = size_t(kW) * kH, kOutBytes = size_t(kOutW) * kOutH;

__global__ void downscale(const uint8_t* in, uint8_t* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kOutW || y >= kOutH) return;
  const uint8_t* p = in + size_t(2 * y) * kW + 2 * x;
  out[y * kOutW + x] = uint8_t((p[0] + p[1] + p[kW] + p[kW + 1] + 2) / 4);
}

template <class T>
class Channel {
 public:
  void push(T v) {
    {
      std::lock_guard<std::mutex> l(m_);
      q_.push_back(std::move(v));
    }
    cv_.notify_one();
  }
  std::optional<T> pop() {
    std::unique_lock<std::mutex> l(m_);
    cv_.wait(l, [&] { return !q_.empty() || closed_; });
    if (q_.empty()) return std::nullopt;
    T v = std::move(q_.front());
    q_.pop_front();
    return v;
  }
  void close() {
    {
      std::lock_guard<std::mutex> l(m_);
      closed_ = true;
    }
    cv_.notify_all();
  }

 private:
  std::mutex m_;
  std::condition_variable cv_;
  std::deque<T> q_;
  bool closed_ = false;
};

struct Packet {
  uint8_t* host = nullptr;
  int pts = 0;
  bool key = false;
};

struct FrameSlot {
  uint8_t *d_in = nullptr, *d_out = nullptr, *h_out = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t uploaded = nullptr, done = nullptr;
  int pts = -1;
};

class Transcoder {
 public:
  Transcoder(Channel<Packet*>& free, Channel<Packet*>& full, int depth) : free_(free), full_(full), ring_(depth) {
    for (auto& s : ring_) {
      CU(cudaMalloc(&s.d_in, kInBytes));
      CU(cudaMalloc(&s.d_out, kOutBytes));
      CU(cudaMallocHost(&s.h_out, kOutBytes));
      CU(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
      CU(cudaEventCreateWithFlags(&s.uploaded, cudaEventDisableTiming));
      CU(cudaEventCreateWithFlags(&s.done, cudaEventDisableTiming));
    }
  }
  ~Transcoder() {
    for (auto& s : ring_) {
      cudaStreamSynchronize(s.stream);
      cudaFree(s.d_in);
      cudaFree(s.d_out);
      cudaFreeHost(s.h_out);
      cudaEventDestroy(s.uploaded);
      cudaEventDestroy(s.done);
      cudaStreamDestroy(s.stream);
    }
  }
  void run() {
    size_t head = 0;
    while (auto p = full_.pop()) {
      FrameSlot& s = ring_[head++ % ring_.size()];
      drain(s);
      submit(s, *p);
    }
    for (size_t i = 0; i < ring_.size(); ++i) drain(ring_[head++ % ring_.size()]);
    std::printf("%d frames, checksum %016llx\n", frames_, (unsigned long long)sum_);
  }

 private:
  void submit(FrameSlot& s, Packet* p) {
    s.pts = p->pts;
    CU(cudaMemcpyAsync(s.d_in, p->host, kInBytes, cudaMemcpyHostToDevice, s.stream));
    CU(cudaEventRecord(s.uploaded, s.stream));
    dim3 b(32, 8), g((kOutW + 31) / 32, (kOutH + 7) / 8);
    downscale<<<g, b, 0, s.stream>>>(s.d_in, s.d_out);
    CU(cudaMemcpyAsync(s.h_out, s.d_out, kOutBytes, cudaMemcpyDeviceToHost, s.stream));
    CU(cudaEventRecord(s.done, s.stream));
    recycle(s, p);
  }
  void recycle(FrameSlot& s, Packet* p) {
    CU(cudaEventSynchronize(s.uploaded));
    free_.push(p);
  }
  void drain(FrameSlot& s) {
    if (s.pts < 0) return;
    CU(cudaEventSynchronize(s.done));
    for (size_t i = 0; i < kOutBytes; i += 37) sum_ = sum_ * 1099511628211ull + s.h_out[i];
    ++frames_;
    s.pts = -1;
  }

  Channel<Packet*>&free_, &full_;
  std::vector<FrameSlot> ring_;
  int frames_ = 0;
  uint64_t sum_ = 1469598103934665603ull;
};

int main(int argc, char** argv) {
  const int total = argc > 1 ? std::atoi(argv[1]) : 120, gop = 12;
  Channel<Packet*> free, full;
  std::vector<Packet> pool(3);
  for (auto& p : pool) {
    CU(cudaMallocHost(&p.host, kInBytes));
    free.push(&p);
  }
  std::thread demux([&] {
    for (int n = 0; n < total; ++n) {
      Packet* p = *free.pop();
      p->pts = n;
      p->key = n % gop == 0;
      for (size_t i = 0; i < kInBytes; ++i) p->host[i] = uint8_t(i * 7 + n * 13);
      full.push(p);
    }
    full.close();
  });
  {
    Transcoder t(free, full, 4);
    t.run();
  }
  demux.join();
  for (auto& p : pool) cudaFreeHost(p.host);
  return 0;
}
