#include "server.h"

#include <cstring>
#include <thread>

namespace scoring {
namespace {
__device__ uint32_t load_word(const uint32_t* p) {
  return *reinterpret_cast<const volatile uint32_t*>(p);
}

__device__ void store_word(uint32_t* p, uint32_t v) {
  *reinterpret_cast<volatile uint32_t*>(p) = v;
}

__global__ void resident_scorer(Mailbox* box, const float* banks) {
  __shared__ uint32_t go;
  __shared__ float partial[kFeatures];
  if (threadIdx.x == 0) {
    store_word(&box->started, 1u);
    __threadfence_system();
  }
  for (uint32_t ticket = 0;; ++ticket) {
    Slot* slot = &box->slots[ticket % kRingSlots];
    if (threadIdx.x == 0) {
      go = 0;
      while (!go) {
        if (load_word(&slot->posted) == ticket + 1)
          go = 1;
        else if (load_word(&box->stop))
          go = 2;
      }
      __threadfence_system();
    }
    __syncthreads();
    if (go == 2) return;
    if (threadIdx.x < kFeatures) {
      const uint32_t bank = load_word(&slot->bank);
      const uint32_t feature = load_word(&slot->features[threadIdx.x]);
      partial[threadIdx.x] =
          __ldcv(banks + size_t(bank) * kTableSize + feature % kTableSize);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      float sum = 0.0f;
      for (int i = 0; i < kFeatures; ++i) sum += partial[i];
      *reinterpret_cast<volatile float*>(&slot->score) = sum;
      __threadfence_system();
      store_word(&slot->answered, ticket + 1);
    }
    __syncthreads();
  }
}
}  // namespace

ScoreServer::ScoreServer(const ServerOptions& options, const float* banks)
    : options_(options), banks_(banks) {
  int least = 0, greatest = 0;
  SCORING_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  SCORING_TRY(cudaStreamCreateWithPriority(&stream_, options.stream_flags,
                                           options.high_priority ? greatest : least));
  SCORING_TRY(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
  std::memset(static_cast<void*>(box_), 0, sizeof(Mailbox));
  SCORING_TRY(cudaHostGetDevicePointer(&device_box_, box_, 0));
}

ScoreServer::~ScoreServer() {
  stop();
  cudaStreamDestroy(stream_);
  cudaFreeHost(box_);
}

void ScoreServer::start() {
  resident_scorer<<<1, options_.threads, 0, stream_>>>(device_box_, banks_);
  SCORING_TRY(cudaGetLastError());
  while (!as_atomic(box_->started).load(std::memory_order_acquire)) std::this_thread::yield();
  running_ = true;
}

void ScoreServer::stop() {
  if (!running_) return;
  as_atomic(box_->stop).store(1u, std::memory_order_release);
  SCORING_TRY(cudaStreamSynchronize(stream_));
  running_ = false;
}

float ScoreServer::score(uint32_t bank, const uint32_t (&features)[kFeatures]) {
  std::lock_guard<std::mutex> guard(mutex_);
  const uint32_t ticket = next_++;
  Slot& slot = box_->slots[ticket % kRingSlots];
  slot.bank = bank;
  std::memcpy(slot.features, features, sizeof(features));
  as_atomic(slot.posted).store(ticket + 1, std::memory_order_release);
  while (as_atomic(slot.answered).load(std::memory_order_acquire) != ticket + 1)
    std::this_thread::yield();
  return slot.score;
}
}  // namespace scoring
