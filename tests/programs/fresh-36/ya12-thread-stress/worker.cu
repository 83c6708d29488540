#include "worker.h"

#include <chrono>
#include <thread>

namespace {

constexpr int kItemMicros = 3000;

__global__ void accumulateKernel(uint64_t* partial, const uint32_t* input, int micros) {
  unsigned long long start, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start)::"memory");
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  } while (t - start < 1000ull * micros);
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  partial[k] += input[k];
}

__global__ void foldKernel(unsigned long long* total, uint64_t* partial) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(total, static_cast<unsigned long long>(partial[k]));
  partial[k] = 0;
}

}  // namespace

Worker::Worker(int id) : id_(id) {
  must(cudaStreamCreate(&stream_));
  for (int s = 0; s < kSlots; ++s) {
    must(cudaMallocHost(&staging_[s], kItem * sizeof(uint32_t)));
    must(cudaEventCreateWithFlags(&copied_[s], cudaEventDisableTiming));
  }
  must(cudaMalloc(&input_, kItem * sizeof(uint32_t)));
  must(cudaMalloc(&partial_, kItem * sizeof(uint64_t)));
  must(cudaMemsetAsync(partial_, 0, kItem * sizeof(uint64_t), stream_));
}

Worker::~Worker() {
  cudaStreamSynchronize(stream_);
  for (int s = 0; s < kSlots; ++s) {
    cudaFreeHost(staging_[s]);
    cudaEventDestroy(copied_[s]);
  }
  cudaFree(input_);
  cudaFree(partial_);
  cudaStreamDestroy(stream_);
}

uint32_t Worker::value(int id, int round, int item, int k) {
  return (static_cast<uint32_t>(id * 131 + round * 31 + item * 7 + k) * 2654435761u) >> 16;
}

void CUDART_CB Worker::advance(void* self) { static_cast<Worker*>(self)->progress_.fetch_add(1); }

void Worker::run(int round, int items) {
  must(cudaSetDevice(0));
  for (int item = 0; item < items; ++item) {
    const int s = item % kSlots;
    for (;;) {
      const cudaError_t state = cudaEventQuery(copied_[s]);
      if (state == cudaSuccess) break;
      if (state != cudaErrorNotReady) throw CudaError(state);
      (void)cudaGetLastError();
      ++waits_;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    for (int k = 0; k < kItem; ++k) staging_[s][k] = value(id_, round, item, k);

    must(cudaMemcpyAsync(input_, staging_[s], kItem * sizeof(uint32_t), cudaMemcpyHostToDevice,
                         stream_));
    must(cudaEventRecord(copied_[s], stream_));
    accumulateKernel<<<kItem / 256, 256, 0, stream_>>>(partial_, input_, kItemMicros);
    must(cudaGetLastError());
    must(cudaLaunchHostFunc(stream_, advance, this));
  }
}

bool Worker::idle() const {
  const cudaError_t state = cudaStreamQuery(stream_);
  if (state == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  must(state);
  return true;
}

void foldPartial(uint64_t* total, uint64_t* partial) {
  foldKernel<<<Worker::kItem / 256, 256>>>(reinterpret_cast<unsigned long long*>(total), partial);
  must(cudaGetLastError());
}
