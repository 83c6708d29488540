#include "feeder.hpp"

#include <cstring>

#define FEED_DO(call)                              \
  do {                                             \
    const cudaError_t feed_status = (call);        \
    if (feed_status != cudaSuccess) return feed_status; \
  } while (0)

namespace bitfeed {

Feeder::Feeder(std::unique_ptr<Codec> codec, const Options& options)
    : codec_(std::move(codec)), host_(options.host_slots), device_(options.device_slots) {}

std::unique_ptr<Feeder> Feeder::open(std::unique_ptr<Codec> codec, const Options& options) {
  if (!codec || !options.host_slots || !options.device_slots) return nullptr;
  std::unique_ptr<Feeder> decoder(new Feeder(std::move(codec), options));
  if (decoder->init() != cudaSuccess) return nullptr;
  return decoder;
}

cudaError_t Feeder::init() {
  FEED_DO(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
  FEED_DO(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking));
  for (HostSlot& slot : host_) {
    FEED_DO(cudaHostAlloc(reinterpret_cast<void**>(&slot.bytes), codec_->max_packet(), cudaHostAllocDefault));
    FEED_DO(cudaEventCreateWithFlags(&slot.drained, cudaEventDisableTiming));
  }
  for (DeviceSlot& slot : device_) {
    FEED_DO(cudaMalloc(reinterpret_cast<void**>(&slot.bytes), codec_->max_packet()));
    FEED_DO(cudaEventCreateWithFlags(&slot.filled, cudaEventDisableTiming));
    FEED_DO(cudaEventCreateWithFlags(&slot.decoded, cudaEventDisableTiming));
  }
  return cudaSuccess;
}

Feeder::~Feeder() {
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

cudaError_t Feeder::upload(const Packet& packet, DeviceSlot& target) {
  HostSlot& slot = host_.next();
  FEED_DO(cudaEventSynchronize(slot.drained));
  std::memcpy(slot.bytes, packet.bytes, packet.size);

  FEED_DO(cudaStreamWaitEvent(copy_, target.decoded, 0));
  FEED_DO(cudaMemcpyAsync(target.bytes, slot.bytes, packet.size, cudaMemcpyHostToDevice, copy_));
  FEED_DO(cudaEventRecord(slot.drained, copy_));
  return cudaEventRecord(target.filled, copy_);
}

std::optional<cudaError_t> Feeder::submit(const Packet& packet, Picture out) {
  if (packet.size > codec_->max_packet()) return cudaErrorInvalidValue;
  DeviceSlot& slot = device_.next();
  FEED_DO(upload(packet, slot));
  FEED_DO(cudaStreamWaitEvent(work_, slot.filled, 0));
  FEED_DO(codec_->decode(slot.bytes, packet.size, out, work_));
  FEED_DO(cudaEventRecord(slot.decoded, work_));
  return std::nullopt;
}

std::optional<cudaError_t> Feeder::finish() {
  FEED_DO(cudaStreamSynchronize(copy_));
  FEED_DO(cudaStreamSynchronize(work_));
  return std::nullopt;
}

}  // namespace bitfeed
