#include "checkpoint.h"

#include <cstring>
#include <utility>

namespace ckpt {
namespace {

__global__ void pack(const float* in, std::int16_t* out, std::size_t n, unsigned long long ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < ns);
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x)
    out[i] = static_cast<std::int16_t>(__float2int_rn(in[i] * 64.f));
}

}  // namespace

Writer::Writer(EventPool& events, std::size_t max_count, int max_tensors)
    : events_(events), max_count_(max_count), max_tensors_(max_tensors) {
  const std::size_t bytes = max_count_ * max_tensors_ * sizeof(std::int16_t);
  must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  must(cudaMalloc(&packed_, bytes));
  must(cudaMallocHost(&staging_, bytes));
  std::memset(staging_, 0, bytes);
  thread_ = std::thread([this] { run(); });
}

Writer::~Writer() {
  if (thread_.joinable()) {
    commit();
    thread_.join();
  }
  must(cudaStreamSynchronize(stream_));
  must(cudaFree(packed_));
  must(cudaFreeHost(staging_));
  must(cudaStreamDestroy(stream_));
}

void Writer::save(const std::string& name, TensorRef tensor, cudaStream_t producer) {
  std::int16_t* packed = packed_ + used_ * max_count_;
  std::int16_t* staging = staging_ + used_ * max_count_;
  ++used_;

  EventPool::Lease produced = events_.get();
  must(cudaEventRecord(produced.get(), producer));
  must(cudaStreamWaitEvent(stream_, produced.get(), 0));

  pack<<<16, 256, 0, stream_>>>(tensor.data, packed, tensor.count, 40'000'000ULL);
  must(cudaGetLastError());
  must(cudaMemcpyAsync(staging, packed, tensor.count * sizeof(std::int16_t),
                       cudaMemcpyDeviceToHost, stream_));

  EventPool::Lease arrived = events_.get();
  must(cudaEventRecord(arrived.get(), stream_));

  std::lock_guard<std::mutex> lock(mu_);
  jobs_.push_back(Job{name, staging, tensor.count, std::move(arrived)});
}

void Writer::commit() {
  {
    std::lock_guard<std::mutex> lock(mu_);
    committed_ = true;
  }
  cv_.notify_one();
}

std::map<std::string, Record> Writer::finish() {
  thread_.join();
  return std::move(written_);
}

void Writer::run() {
  must(cudaSetDevice(0));
  std::unique_lock<std::mutex> lock(mu_);
  cv_.wait(lock, [this] { return committed_; });
  std::deque<Job> jobs = std::move(jobs_);
  lock.unlock();
  while (!jobs.empty()) {
    Job job = std::move(jobs.front());
    jobs.pop_front();
    must(cudaEventSynchronize(job.arrived.get()));
    Record record;
    record.count = job.count;
    for (std::size_t i = 0; i < job.count; ++i)
      record.checksum = record.checksum * 31 + static_cast<std::uint16_t>(job.staging[i]);
    written_[job.name] = record;
  }
}

}  // namespace ckpt
