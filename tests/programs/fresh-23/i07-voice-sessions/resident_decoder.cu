#include "resident_decoder.h"

#include <atomic>
#include <cstring>
#include <thread>

#include "session_table.h"

namespace {

constexpr int kThreads = 256;

template <class T>
__host__ __device__ volatile T& fresh(T& field) {
  return const_cast<volatile T&>(field);
}

__global__ void decode_requests(Mailbox* box) {
  __shared__ Mailbox request;
  __shared__ unsigned long long sum;
  unsigned last = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      unsigned seen;
      do seen = fresh(box->posted);
      while (seen == last);
      __threadfence_system();
      request.posted = seen;
      request.stop = fresh(box->stop);
      request.sample = fresh(box->sample);
      request.weights = fresh(box->weights);
      request.weight_count = fresh(box->weight_count);
      request.state = fresh(box->state);
      sum = 0;
    }
    __syncthreads();
    if (request.stop) return;

    long long partial = 0;
    for (int i = threadIdx.x; i < request.weight_count; i += kThreads) partial += request.weights[i];
    atomicAdd(&sum, static_cast<unsigned long long>(partial));
    __syncthreads();

    if (threadIdx.x == 0) {
      const long long score = static_cast<long long>(sum) * request.sample + *request.state;
      *request.state = score % 1009;
      fresh(box->score) = score;
      __threadfence_system();
      fresh(box->finished) = request.posted;
    }
    last = request.posted;
    __syncthreads();
  }
}

}  // namespace

ResidentDecoder::ResidentDecoder() {
  CU_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  CU_OK(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
  std::memset(box_, 0, sizeof(Mailbox));
  CU_OK(cudaHostGetDevicePointer(&d_box_, box_, 0));
}

ResidentDecoder::~ResidentDecoder() {
  stop();
  cudaFreeHost(box_);
  cudaStreamDestroy(stream_);
}

void ResidentDecoder::start() {
  CU_OK(cudaDeviceSynchronize());
  decode_requests<<<1, kThreads, 0, stream_>>>(d_box_);
  CU_OK(cudaGetLastError());
  running_ = true;
}

unsigned ResidentDecoder::post() {
  const unsigned ticket = box_->posted + 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  fresh(box_->posted) = ticket;
  return ticket;
}

long long ResidentDecoder::decode(const int* weights, int weight_count, long long* state, int sample) {
  fresh(box_->weights) = weights;
  fresh(box_->weight_count) = weight_count;
  fresh(box_->state) = state;
  fresh(box_->sample) = sample;
  const unsigned ticket = post();
  while (fresh(box_->finished) != ticket) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return fresh(box_->score);
}

void ResidentDecoder::stop() {
  if (!running_) return;
  fresh(box_->stop) = 1;
  post();
  CU_OK(cudaStreamSynchronize(stream_));
  running_ = false;
}
