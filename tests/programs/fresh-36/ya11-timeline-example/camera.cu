#include "camera.h"

__host__ __device__ static unsigned developRule(unsigned raw, unsigned gain) {
  return (raw * gain + 7u) & 0xffffu;
}

__host__ __device__ static unsigned gainRule(unsigned gain, unsigned firstPixel) {
  return 1u + ((gain * 5u + firstPixel) & 63u);
}

unsigned developPixel(unsigned raw, unsigned gain) { return developRule(raw, gain); }
unsigned nextGain(unsigned gain, unsigned firstPixel) { return gainRule(gain, firstPixel); }

__global__ void developFrame(unsigned* developed, const unsigned* raw, const unsigned* gain, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) developed[i] = developRule(raw[i], *gain);
}

__global__ void meterFrame(unsigned* gain, const unsigned* developed) {
  *gain = gainRule(*gain, developed[0]);
}

Camera::Camera() : developKernel_(developFrame), meterKernel_(meterFrame) {
  for (CUstream* s : {&upload_, &develop_, &meter_, &download_}) {
    check(cuStreamCreate(s, CU_STREAM_NON_BLOCKING));
  }
  for (int i = 0; i < kSlots; ++i) {
    check(cudaMalloc(&raw_[i], kPixels * sizeof(unsigned)));
    check(cudaMalloc(&developed_[i], kPixels * sizeof(unsigned)));
    check(cudaMemset(raw_[i], 0, kPixels * sizeof(unsigned)));
    check(cudaMemset(developed_[i], 0, kPixels * sizeof(unsigned)));
  }
  const unsigned one = 1;
  check(cudaMalloc(&gain_, sizeof(unsigned)));
  check(cudaMemcpy(gain_, &one, sizeof(one), cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());
  developKernel_(kPixels / 256, 256, develop_, developed_[0], raw_[0], gain_, 0);
  meterKernel_(1, 1, develop_, gain_, developed_[0]);
  check(cuStreamSynchronize(develop_));
  check(cudaMemcpy(gain_, &one, sizeof(one), cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());
}

Camera::~Camera() {
  for (CUstream s : {upload_, develop_, meter_, download_}) cuStreamDestroy(s);
  for (int i = 0; i < kSlots; ++i) {
    cudaFree(raw_[i]);
    cudaFree(developed_[i]);
  }
  cudaFree(gain_);
}

void Camera::submit(unsigned frame, const unsigned* raw, unsigned* developed) {
  const unsigned slot = frame % kSlots;
  const unsigned done = frame + 1;
  const size_t bytes = kPixels * sizeof(unsigned);

  if (frame >= kSlots) developedUpTo_.wait(upload_, done - kSlots);
  check(cudaMemcpyAsync(raw_[slot], raw, bytes, cudaMemcpyHostToDevice, upload_));
  uploaded_.signal(upload_, done);

  uploaded_.wait(develop_, done);
  metered_.wait(develop_, done);
  if (frame >= kSlots) downloaded_.wait(develop_, done - kSlots);
  developKernel_(kPixels / 256, 256, develop_, developed_[slot], raw_[slot], gain_, int(kPixels));
  developedUpTo_.signal(develop_, done);

  developedUpTo_.wait(meter_, done);
  meterKernel_(1, 1, meter_, gain_, developed_[slot]);
  metered_.signal(meter_, done);

  developedUpTo_.wait(download_, done);
  check(cudaMemcpyAsync(developed, developed_[slot], bytes, cudaMemcpyDeviceToHost, download_));
  downloaded_.signal(download_, done);
}

void Camera::drain() {
  check(cuStreamSynchronize(meter_));
  check(cuStreamSynchronize(download_));
}
