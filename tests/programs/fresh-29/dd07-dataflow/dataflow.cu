#include "dataflow.h"

#include <algorithm>
#include <cstdint>

namespace flow {

Core::Core(int width) {
  int device = 0;
  enforce(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  enforce(cudaDeviceGetDefaultMemPool(&pool, device));
  uint64_t keep = UINT64_MAX;
  enforce(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));

  enforce(cudaStreamCreateWithFlags(&custodian_, cudaStreamNonBlocking));
  for (int i = 0; i < width; ++i) {
    cudaStream_t s = nullptr;
    enforce(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    streams_.push_back(s);
  }
}

Core::~Core() {
  for (cudaStream_t s : streams_) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
  if (custodian_) {
    cudaStreamSynchronize(custodian_);
    cudaStreamDestroy(custodian_);
  }
  for (cudaEvent_t e : idle_) cudaEventDestroy(e);
}

cudaStream_t Core::next_stream() { return streams_[turn_++ % streams_.size()]; }

Moment Core::mark(cudaStream_t s) {
  cudaEvent_t e = nullptr;
  if (!idle_.empty()) {
    e = idle_.back();
    idle_.pop_back();
  } else {
    enforce(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    ++created_;
  }
  enforce(cudaEventRecord(e, s));
  auto self = shared_from_this();
  return Moment(e, [self](cudaEvent_t spent) { self->idle_.push_back(spent); });
}

void Core::after(cudaStream_t s, const Moment& m) {
  if (m) enforce(cudaStreamWaitEvent(s, m.get(), 0));
}

void* Core::allocate(size_t bytes, Moment* ready) {
  void* p = nullptr;
  enforce(cudaMallocAsync(&p, bytes, custodian_));
  *ready = mark(custodian_);
  return p;
}

void Core::reclaim(void* p, const std::vector<Moment>& users) {
  for (const Moment& m : users)
    if (m) cudaStreamWaitEvent(custodian_, m.get(), 0);
  cudaFreeAsync(p, custodian_);
}

void Core::settle() {
  for (cudaStream_t s : streams_) enforce(cudaStreamSynchronize(s));
  enforce(cudaStreamSynchronize(custodian_));
}

State::State(std::shared_ptr<Core> core, size_t bytes) : core_(std::move(core)) {
  data_ = core_->allocate(bytes, &last_write_);
}

State::~State() {
  std::vector<Moment> users;
  users.swap(readers_);
  users.push_back(std::move(last_write_));
  core_->reclaim(data_, users);
}

void State::before_read(cudaStream_t s) { core_->after(s, last_write_); }

void State::before_write(cudaStream_t s) {
  core_->after(s, last_write_);
  for (const Moment& m : readers_) core_->after(s, m);
}

void State::read_done(const Moment& m) {
  if (readers_.size() >= 8) prune();
  readers_.push_back(m);
}

void State::write_done(const Moment& m) {
  last_write_ = m;
  readers_.clear();
}

void State::prune() {
  auto finished = [](const Moment& m) {
    const cudaError_t s = cudaEventQuery(m.get());
    if (s == cudaErrorNotReady) cudaGetLastError();
    return s == cudaSuccess;
  };
  readers_.erase(std::remove_if(readers_.begin(), readers_.end(), finished), readers_.end());
}

}  // namespace flow
