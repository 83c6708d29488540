#include "recorder.h"

Recorder::Recorder(int cells, unsigned mass) : cells_(cells), mass_(mass) {
  SIM(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  SIM(cudaMallocHost(&host_sum_, sizeof(unsigned)));
  cudaFuncAttributes attributes;
  SIM(cudaFuncGetAttributes(&attributes, total_mass));
  for (Snapshot& s : snapshots_) {
    SIM(cudaMalloc(&s.data, cells_ * sizeof(unsigned)));
    SIM(cudaEventCreateWithFlags(&s.filled, cudaEventDisableTiming));
    free_.push_back(&s);
  }
  thread_ = std::thread([this] { loop(); });
}

Recorder::~Recorder() {
  finish();
  for (Snapshot& s : snapshots_) {
    cudaFree(s.data);
    cudaFree(s.sum);
    cudaEventDestroy(s.filled);
  }
  cudaFreeHost(host_sum_);
  cudaStreamDestroy(stream_);
}

void Recorder::snapshot(const unsigned* h, cudaStream_t s) {
  Snapshot* shot = nullptr;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !free_.empty(); });
    shot = free_.front();
    free_.pop_front();
  }
  SIM(cudaMemcpyAsync(shot->data, h, cells_ * sizeof(unsigned), cudaMemcpyDeviceToDevice, s));
  SIM(cudaEventRecord(shot->filled, s));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    full_.push_back(shot);
    ++taken_;
  }
  changed_.notify_all();
}

bool Recorder::examine(Snapshot& s) {
  if (!s.sum) SIM(cudaMalloc(&s.sum, sizeof(unsigned)));
  SIM(cudaStreamWaitEvent(stream_, s.filled, 0));
  SIM(cudaMemsetAsync(s.sum, 0, sizeof(unsigned), stream_));
  total_mass<<<8, 256, 0, stream_>>>(s.data, cells_, s.sum);
  SIM(cudaGetLastError());
  SIM(cudaMemcpyAsync(host_sum_, s.sum, sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
  SIM(cudaStreamSynchronize(stream_));
  return *host_sum_ == mass_;
}

void Recorder::loop() {
  for (;;) {
    Snapshot* shot = nullptr;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !full_.empty(); });
      if (full_.empty()) return;
      shot = full_.front();
      full_.pop_front();
    }
    bool good = false;
    std::string what;
    try {
      good = examine(*shot);
    } catch (const SimError& e) {
      what = e.what();
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      bad_ += !good;
      if (failure_.empty()) failure_ = what;
      free_.push_back(shot);
    }
    changed_.notify_all();
  }
}

int Recorder::finish() {
  if (thread_.joinable()) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  return bad_;
}
