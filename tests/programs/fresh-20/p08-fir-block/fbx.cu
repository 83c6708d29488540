#include <cuda_runtime.h>

#include <new>
#include <vector>

#include "fbx.h"
#include "fir_kernel.cuh"

namespace {

fbx_status status_of(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return FBX_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation: return FBX_STATUS_ALLOC_FAILED;
    default: return FBX_STATUS_EXECUTION_FAILED;
  }
}

#define FBX_CHECK(call)                                       \
  do {                                                        \
    const fbx_status fbx_s_ = status_of(call);                \
    if (fbx_s_ != FBX_STATUS_SUCCESS) return fbx_s_;          \
  } while (0)

class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  cudaError_t allocate(size_t n) {
    count_ = n;
    return cudaMalloc(&data_, bytes());
  }
  float* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(float); }

 private:
  float* data_ = nullptr;
  size_t count_ = 0;
};

constexpr int kTile = 128;

}  // namespace

struct fbx_filter_s {
  fbx_config config{};
  cudaStream_t stream = nullptr;
  DeviceArray taps;
  DeviceArray history[2];
  int cur = 0;

  fbx_status init(const float* host_taps) {
    std::vector<float> t(host_taps, host_taps + config.taps);
    if (config.gain == FBX_GAIN_DC) {
      double sum = 0;
      for (float v : t) sum += v;
      if (sum == 0) return FBX_STATUS_INVALID_VALUE;
      for (float& v : t) v = static_cast<float>(v / sum);
    }
    FBX_CHECK(taps.allocate(t.size()));
    FBX_CHECK(cudaMemcpy(taps.get(), t.data(), taps.bytes(), cudaMemcpyHostToDevice));
    for (DeviceArray& h : history) {
      FBX_CHECK(h.allocate(static_cast<size_t>(config.channels) * (config.taps - 1)));
      FBX_CHECK(cudaMemset(h.get(), 0, h.bytes()));
    }
    FBX_CHECK(cudaDeviceSynchronize());
    return FBX_STATUS_SUCCESS;
  }

  fbx_status reset() {
    FBX_CHECK(cudaMemsetAsync(history[cur].get(), 0, history[cur].bytes(), stream));
    return FBX_STATUS_SUCCESS;
  }

  fbx_status process(const float* in, float* out) {
    const dim3 grid((config.block + kTile - 1) / kTile, config.channels);
    float* now = history[cur].get();
    float* next = history[cur ^ 1].get();
    fir_launch(grid, in, out, now, next);
    FBX_CHECK(cudaGetLastError());
    cur ^= 1;
    return FBX_STATUS_SUCCESS;
  }

 private:
  void fir_launch(dim3 grid, const float* in, float* out, const float* now, float* next) {
    fbx::fir_block<<<grid, kTile, 0, stream>>>(in, out, config.block, taps.get(), config.taps, now, next);
  }
};

extern "C" {

fbx_status fbx_create(fbx_filter* filter, const fbx_config* config, const float* taps) {
  if (!filter || !config || !taps) return FBX_STATUS_INVALID_VALUE;
  if (config->channels < 1 || config->channels > 65535 || config->block < 1) return FBX_STATUS_INVALID_VALUE;
  if (config->taps < 2 || config->taps > FBX_MAX_TAPS || config->taps > config->block + 1)
    return FBX_STATUS_INVALID_VALUE;
  fbx_filter f = new (std::nothrow) fbx_filter_s;
  if (!f) return FBX_STATUS_ALLOC_FAILED;
  f->config = *config;
  const fbx_status s = f->init(taps);
  if (s != FBX_STATUS_SUCCESS) {
    delete f;
    return s;
  }
  *filter = f;
  return FBX_STATUS_SUCCESS;
}

fbx_status fbx_destroy(fbx_filter filter) {
  if (!filter) return FBX_STATUS_NOT_INITIALIZED;
  delete filter;
  return FBX_STATUS_SUCCESS;
}

fbx_status fbx_set_stream(fbx_filter filter, cudaStream_t stream) {
  if (!filter) return FBX_STATUS_NOT_INITIALIZED;
  filter->stream = stream;
  return FBX_STATUS_SUCCESS;
}

fbx_status fbx_get_stream(fbx_filter filter, cudaStream_t* stream) {
  if (!filter) return FBX_STATUS_NOT_INITIALIZED;
  if (!stream) return FBX_STATUS_INVALID_VALUE;
  *stream = filter->stream;
  return FBX_STATUS_SUCCESS;
}

fbx_status fbx_reset(fbx_filter filter) { return filter ? filter->reset() : FBX_STATUS_NOT_INITIALIZED; }

fbx_status fbx_process(fbx_filter filter, const float* in, float* out) {
  if (!filter) return FBX_STATUS_NOT_INITIALIZED;
  if (!in || !out) return FBX_STATUS_INVALID_VALUE;
  return filter->process(in, out);
}

const char* fbx_get_error_string(fbx_status status) {
  static const char* const names[] = {"FBX_STATUS_SUCCESS", "FBX_STATUS_NOT_INITIALIZED", "FBX_STATUS_INVALID_VALUE",
                                      "FBX_STATUS_ALLOC_FAILED", "FBX_STATUS_EXECUTION_FAILED"};
  return names[status];
}

}  // extern "C"
