#include <cuda_runtime.h>

#include <memory>
#include <new>
#include <vector>

#include "gpz.h"
#include "kernels.cuh"

namespace {

gpz_result translate(cudaError_t e) {
  if (e == cudaSuccess) return GPZ_SUCCESS;
  return e == cudaErrorMemoryAllocation ? GPZ_OUT_OF_MEMORY : GPZ_RUNTIME_ERROR;
}

#define GPZ_CUDA(expr)                              \
  do {                                              \
    gpz_result gpz_r_ = translate(expr);            \
    if (gpz_r_ != GPZ_SUCCESS) return gpz_r_;       \
  } while (0)

struct Slot {
  uint8_t* bits = nullptr;
  unsigned long long* bytes = nullptr;  // device
  cudaEvent_t coded = nullptr;
  bool out = false;
};

}  // namespace

struct gpz_encoder_s {
  gpz_options opt{};
  cudaStream_t stream = nullptr;
  cudaStream_t coder = nullptr;
  cudaStream_t reader = nullptr;
  cudaEvent_t transformed = nullptr;
  cudaMemPool_t pool = nullptr;  // coefficients
  unsigned long long* host_bytes = nullptr;
  size_t bits_capacity = 0;
  std::vector<Slot> slots;
  int next = 0;

  size_t coefficients() const { return static_cast<size_t>(opt.width) * opt.height; }

  gpz_result make_pool() {
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    GPZ_CUDA(cudaGetDevice(&props.location.id));
    GPZ_CUDA(cudaMemPoolCreate(&pool, &props));
    uint64_t keep = UINT64_MAX;
    GPZ_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    return GPZ_SUCCESS;
  }

  gpz_result init() {
    const gpz_result r = make_pool();
    if (r != GPZ_SUCCESS) return r;
    bits_capacity = coefficients() * 4 + 64;
    GPZ_CUDA(cudaStreamCreateWithFlags(&coder, cudaStreamNonBlocking));
    GPZ_CUDA(cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking));
    GPZ_CUDA(cudaEventCreateWithFlags(&transformed, cudaEventDisableTiming));
    GPZ_CUDA(cudaMallocHost(&host_bytes, sizeof(*host_bytes)));
    slots.resize(opt.depth);
    for (Slot& s : slots) {
      GPZ_CUDA(cudaMalloc(&s.bits, bits_capacity));
      GPZ_CUDA(cudaMalloc(&s.bytes, sizeof(*s.bytes)));
      GPZ_CUDA(cudaEventCreateWithFlags(&s.coded, cudaEventDisableTiming));
    }
    return GPZ_SUCCESS;
  }

  ~gpz_encoder_s() {
    if (coder) {
      cudaStreamSynchronize(coder);
      cudaStreamDestroy(coder);
    }
    if (reader) cudaStreamDestroy(reader);
    if (transformed) cudaEventDestroy(transformed);
    for (Slot& s : slots) {
      cudaFree(s.bits);
      cudaFree(s.bytes);
      if (s.coded) cudaEventDestroy(s.coded);
    }
    cudaFreeHost(host_bytes);
    if (pool) cudaMemPoolDestroy(pool);
  }

  Slot* claim(int* ticket) {
    for (int i = 0; i < opt.depth; ++i) {
      const int t = (next + i) % opt.depth;
      if (slots[t].out) continue;
      next = (t + 1) % opt.depth;
      slots[t].out = true;
      *ticket = t;
      return &slots[t];
    }
    return nullptr;
  }

  gpz_result encode(const uint8_t* frame, size_t pitch, Slot& slot) {
    const int bx = opt.width / 4, by = opt.height / 4;
    int16_t* coef = nullptr;
    GPZ_CUDA(cudaMallocFromPoolAsync(&coef, sizeof(int16_t) * coefficients(), pool, stream));

    const dim3 grid((bx + 63) / 64, by);
    gpz::transform_blocks<<<grid, 64, 0, stream>>>(frame, pitch, bx, by, opt.shift, coef);
    GPZ_CUDA(cudaGetLastError());
    GPZ_CUDA(cudaEventRecord(transformed, stream));

    GPZ_CUDA(cudaStreamWaitEvent(coder, transformed, 0));
    gpz::code_frame<<<1, 1, 0, coder>>>(coef, coefficients(), slot.bits, slot.bytes);
    GPZ_CUDA(cudaGetLastError());
    GPZ_CUDA(cudaEventRecord(slot.coded, coder));

    GPZ_CUDA(cudaFreeAsync(coef, stream));
    return GPZ_SUCCESS;
  }

  gpz_result get(Slot& slot, void* dst, size_t capacity, size_t* bytes) {
    GPZ_CUDA(cudaEventSynchronize(slot.coded));
    GPZ_CUDA(cudaMemcpyAsync(host_bytes, slot.bytes, sizeof(*host_bytes), cudaMemcpyDeviceToHost, reader));
    GPZ_CUDA(cudaStreamSynchronize(reader));
    *bytes = static_cast<size_t>(*host_bytes);
    if (*bytes > capacity) return GPZ_BUFFER_TOO_SMALL;
    GPZ_CUDA(cudaMemcpyAsync(dst, slot.bits, *bytes, cudaMemcpyDeviceToHost, reader));
    GPZ_CUDA(cudaStreamSynchronize(reader));
    slot.out = false;
    return GPZ_SUCCESS;
  }
};

extern "C" {

gpz_result gpz_create(gpz_encoder* enc, const gpz_options* options) {
  if (!enc || !options) return GPZ_BAD_ARGUMENT;
  const gpz_options& o = *options;
  if (o.width <= 0 || o.height <= 0 || o.width % 4 || o.height % 4) return GPZ_BAD_ARGUMENT;
  if (o.shift < 0 || o.shift > 8 || o.depth < 1 || o.depth > 8) return GPZ_BAD_ARGUMENT;
  std::unique_ptr<gpz_encoder_s> e(new (std::nothrow) gpz_encoder_s);
  if (!e) return GPZ_OUT_OF_MEMORY;
  e->opt = o;
  const gpz_result r = e->init();
  if (r == GPZ_SUCCESS) *enc = e.release();
  return r;
}

gpz_result gpz_destroy(gpz_encoder enc) {
  delete enc;
  return GPZ_SUCCESS;
}

gpz_result gpz_set_stream(gpz_encoder enc, cudaStream_t stream) {
  if (!enc) return GPZ_BAD_ARGUMENT;
  enc->stream = stream;
  return GPZ_SUCCESS;
}

gpz_result gpz_encode(gpz_encoder enc, const uint8_t* d_frame, size_t pitch, int* ticket) {
  if (!enc || !d_frame || !ticket || pitch < static_cast<size_t>(enc->opt.width)) return GPZ_BAD_ARGUMENT;
  Slot* slot = enc->claim(ticket);
  if (!slot) return GPZ_BUSY;
  const gpz_result r = enc->encode(d_frame, pitch, *slot);
  if (r != GPZ_SUCCESS) slot->out = false;
  return r;
}

gpz_result gpz_get(gpz_encoder enc, int ticket, void* dst, size_t capacity, size_t* bytes) {
  if (!enc || !dst || !bytes || ticket < 0 || ticket >= enc->opt.depth) return GPZ_BAD_ARGUMENT;
  if (!enc->slots[ticket].out) return GPZ_BAD_ARGUMENT;
  return enc->get(enc->slots[ticket], dst, capacity, bytes);
}

const char* gpz_result_name(gpz_result r) {
  static const char* const names[] = {"GPZ_SUCCESS",          "GPZ_BAD_ARGUMENT",  "GPZ_BUSY",
                                      "GPZ_BUFFER_TOO_SMALL", "GPZ_OUT_OF_MEMORY", "GPZ_RUNTIME_ERROR"};
  return names[r];
}

}  // extern "C"
