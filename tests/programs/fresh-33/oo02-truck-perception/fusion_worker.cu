#include "fusion_worker.h"
#include <atomic>
#include <thread>
namespace haul {
namespace {
constexpr int kThreads = 256;
__global__ void fusionLoop(volatile Mailbox* box, const volatile Extrinsics* calib, float* history) {
  __shared__ uint32_t command;
  __shared__ float partial[kThreads];
  for (uint32_t next = 1;; ++next) {
    if (threadIdx.x == 0) {
      uint32_t bell = box->doorbell;
      while (bell < next) {
        __nanosleep(1000);
        bell = box->doorbell;
      }
      __threadfence_system();
      command = bell;
    }
    __syncthreads();
    if (command == kParkVehicle) return;

    const float gain = calib->gain, bias = calib->bias;
    float sum = 0.f;
    for (uint32_t i = threadIdx.x; i < kPoints; i += kThreads) sum += gain * box->points[i] + bias;
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int w = kThreads / 2; w > 0; w /= 2) {
      if (threadIdx.x < w) partial[threadIdx.x] += partial[threadIdx.x + w];
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      history[next - 1] = partial[0];
      box->energy[next - 1] = partial[0];
      __threadfence_system();
      box->posted = next;
    }
    __syncthreads();
  }
}

}  // namespace

Status CalibrationStore::init(const Extrinsics& factory) {
  HAUL_CUDA(cudaHostAlloc(&staging_, sizeof(Extrinsics), cudaHostAllocDefault));
  HAUL_CUDA(cudaMalloc(&device_, sizeof(Extrinsics)));
  return apply(factory);
}

Status CalibrationStore::apply(const Extrinsics& next) {
  *staging_ = next;
  HAUL_CUDA(cudaMemcpy(device_, staging_, sizeof(Extrinsics), cudaMemcpyHostToDevice));
  HAUL_LOG("extrinsics: gain %.1f bias %.1f", next.gain, next.bias);
  return {};
}

FusionWorker::~FusionWorker() {
  if (running_) (void)park();
  cudaFree(history_);
  cudaFreeHost(host_);
}

Status FusionWorker::init() {
  HAUL_CUDA(cudaHostAlloc(&host_, sizeof(Mailbox), cudaHostAllocMapped));
  *host_ = Mailbox{};
  HAUL_CUDA(cudaHostGetDevicePointer(&mapped_, host_, 0));
  HAUL_CUDA(cudaMalloc(&history_, kMaxFrames * sizeof(float)));
  return {};
}

Status FusionWorker::start(const CalibrationStore& calibration) {
  fusionLoop<<<1, kThreads, 0, lanes_.at(Fusion)>>>(mapped_, calibration.device(), history_);
  HAUL_CUDA(cudaGetLastError());
  running_ = true;
  return {};
}

void FusionWorker::ring(uint32_t seq) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  static_cast<volatile Mailbox*>(host_)->doorbell = seq;
}

float FusionWorker::collect(uint32_t seq) const {
  volatile Mailbox* box = host_;
  while (box->posted < seq) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  return box->energy[seq - 1];
}

Status FusionWorker::park() {
  ring(kParkVehicle);
  running_ = false;
  HAUL_CUDA(cudaStreamSynchronize(lanes_.at(Fusion)));
  return {};
}

Status FusionWorker::history(float* out, uint32_t frames) const {
  HAUL_CUDA(cudaMemcpyAsync(out, history_, frames * sizeof(float), cudaMemcpyDeviceToHost, lanes_.at(Blackbox)));
  HAUL_CUDA(cudaStreamSynchronize(lanes_.at(Blackbox)));
  return {};
}

}  // namespace haul
