#include "model.h"
#include <chrono>

static unsigned build_header(const SnapReq &r, int words, int ms) {
  // Axis tables, attributes and their checksum, in the way the file format asks for.
  unsigned c = 2166136261u ^ (unsigned)r.step;
  auto t0 = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < words; ++i) c = (c ^ (unsigned)(i * 2654435761u)) * 16777619u;
  } while (std::chrono::steady_clock::now() - t0 < std::chrono::milliseconds(ms));
  return c;
}

void Writer::open(const RunOptions &o) {
  opt = o;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaMallocHost(&host, NCELL * sizeof(float)));
  th = std::thread([this] { loop(); });
}

void Writer::submit(const SnapReq &r) {
  {
    std::lock_guard<std::mutex> g(mu);
    q.push_back(r);
  }
  cv.notify_all();
}

void Writer::until_posted(int slot) {
  std::unique_lock<std::mutex> g(mu);
  cv.wait(g, [this, slot] { return posted >= slot; });
}

void Writer::close() {
  {
    std::lock_guard<std::mutex> g(mu);
    closing = true;
  }
  cv.notify_all();
  th.join();
  CUDA_OK(cudaFreeHost(host));
  CUDA_OK(cudaStreamDestroy(stream));
}

void Writer::loop() {
  CUDA_OK(cudaSetDevice(0));
  for (;;) {
    SnapReq r;
    {
      std::unique_lock<std::mutex> g(mu);
      cv.wait(g, [this] { return closing || !q.empty(); });
      if (q.empty()) return;
      r = q.front();
      q.pop_front();
    }
    checksum ^= build_header(r, opt.header_words, opt.header_ms);
    CUDA_OK(cudaStreamWaitEvent(stream, ev_ready[r.slot], 0));
    CUDA_OK(cudaMemcpyAsync(host, r.h, NCELL * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaEventRecord(ev_saved[r.slot], stream));
    {
      std::lock_guard<std::mutex> g(mu);
      posted = r.slot;
    }
    cv.notify_all();
    CUDA_OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < NCELL; ++i)
      if (host[i] != (float)(i % 7) + (float)r.step) ++bad_cells;
  }
}
