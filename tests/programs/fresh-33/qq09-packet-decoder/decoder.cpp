#include "decoder.hpp"

#include <cstring>

#define VDEC_DO(call)                              \
  do {                                             \
    const cudaError_t vdec_status = (call);        \
    if (vdec_status != cudaSuccess) return vdec_status; \
  } while (0)

namespace vdec {

Decoder::Decoder(std::unique_ptr<Codec> codec, const Options& options)
    : codec_(std::move(codec)), host_(options.host_slots), device_(options.device_slots) {}

std::unique_ptr<Decoder> Decoder::open(std::unique_ptr<Codec> codec, const Options& options) {
  if (!codec || !options.host_slots || !options.device_slots) return nullptr;
  std::unique_ptr<Decoder> decoder(new Decoder(std::move(codec), options));
  if (decoder->init() != cudaSuccess) return nullptr;
  return decoder;
}

cudaError_t Decoder::init() {
  VDEC_DO(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
  VDEC_DO(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking));
  for (HostSlot& slot : host_) {
    VDEC_DO(cudaHostAlloc(reinterpret_cast<void**>(&slot.bytes), codec_->max_packet(), cudaHostAllocDefault));
    VDEC_DO(cudaEventCreateWithFlags(&slot.drained, cudaEventDisableTiming));
  }
  for (DeviceSlot& slot : device_) {
    VDEC_DO(cudaMalloc(reinterpret_cast<void**>(&slot.bytes), codec_->max_packet()));
    VDEC_DO(cudaEventCreateWithFlags(&slot.filled, cudaEventDisableTiming));
    VDEC_DO(cudaEventCreateWithFlags(&slot.decoded, cudaEventDisableTiming));
  }
  return cudaSuccess;
}

Decoder::~Decoder() {
  if (copy_) cudaStreamSynchronize(copy_);
  if (work_) cudaStreamSynchronize(work_);
  for (HostSlot& slot : host_) {
    if (slot.bytes) cudaFreeHost(slot.bytes);
    if (slot.drained) cudaEventDestroy(slot.drained);
  }
  for (DeviceSlot& slot : device_) {
    if (slot.bytes) cudaFree(slot.bytes);
    if (slot.filled) cudaEventDestroy(slot.filled);
    if (slot.decoded) cudaEventDestroy(slot.decoded);
  }
  if (work_) cudaStreamDestroy(work_);
  if (copy_) cudaStreamDestroy(copy_);
}

cudaError_t Decoder::upload(const Packet& packet, DeviceSlot& target) {
  HostSlot& slot = host_.next();
  VDEC_DO(cudaEventSynchronize(slot.drained));
  std::memcpy(slot.bytes, packet.bytes, packet.size);

  VDEC_DO(cudaStreamWaitEvent(copy_, target.decoded, 0));
  VDEC_DO(cudaMemcpyAsync(target.bytes, slot.bytes, packet.size, cudaMemcpyHostToDevice, copy_));
  VDEC_DO(cudaEventRecord(slot.drained));
  return cudaEventRecord(target.filled, copy_);
}

std::optional<cudaError_t> Decoder::submit(const Packet& packet, Picture out) {
  if (packet.size > codec_->max_packet()) return cudaErrorInvalidValue;
  DeviceSlot& slot = device_.next();
  VDEC_DO(upload(packet, slot));
  VDEC_DO(cudaStreamWaitEvent(work_, slot.filled, 0));
  VDEC_DO(codec_->decode(slot.bytes, packet.size, out, work_));
  VDEC_DO(cudaEventRecord(slot.decoded, work_));
  return std::nullopt;
}

std::optional<cudaError_t> Decoder::finish() {
  VDEC_DO(cudaStreamSynchronize(copy_));
  VDEC_DO(cudaStreamSynchronize(work_));
  return std::nullopt;
}

}  // namespace vdec
