#include "decode_queue.h"

#include "unpack.cuh"

#include <cstring>

namespace daq {

DecodeQueue::DecodeQueue(cudaStream_t stream, QueueOptions options, Sink sink)
    : stream_(stream), options_(options), sink_(std::move(sink)), ring_(static_cast<std::size_t>(options.depth)) {
    for (Entry& entry : ring_) {
        entry.queue = this;
        entry.slot = std::make_unique<Slot>(options_.maxBytes);
    }
}

DecodeQueue::~DecodeQueue() {
    cudaStreamSynchronize(stream_);
}

DecodeQueue::Entry& DecodeQueue::claim() {
    Entry& entry = ring_[submitted_ % ring_.size()];
    std::unique_lock<std::mutex> lock(mutex_);
    progress_.wait(lock, [&entry] { return !entry.busy; });
    entry.busy = true;
    return entry;
}

void DecodeQueue::submit(std::uint64_t id, const std::uint8_t* packed, std::size_t bytes) {
    if (bytes == 0 || bytes % 3 != 0 || bytes > options_.maxBytes) throw std::length_error("bad chunk");
    Entry& entry = claim();
    ++submitted_;
    Slot& slot = *entry.slot;
    entry.id = id;
    entry.count = samplesIn(bytes);
    std::memcpy(slot.hostPacked, packed, bytes);

    const std::size_t pairs = bytes / 3;
    check(cudaMemcpyAsync(slot.packed, slot.hostPacked, bytes, cudaMemcpyHostToDevice, stream_));
    unpack12<<<static_cast<unsigned>((pairs + 255) / 256), 256, 0, stream_>>>(slot.packed, slot.samples, pairs);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(slot.hostSamples, slot.samples, entry.count * sizeof(std::int16_t), cudaMemcpyDeviceToHost,
                          stream_));
    check(cudaLaunchHostFunc(stream_, &DecodeQueue::onDecoded, &entry));
}

void CUDART_CB DecodeQueue::onDecoded(void* opaque) {
    auto* entry = static_cast<Entry*>(opaque);
    entry->queue->deliver(*entry);
}

void DecodeQueue::deliver(Entry& entry) {
    sink_({entry.id, entry.slot->hostSamples, entry.count});
    std::lock_guard<std::mutex> lock(mutex_);
    entry.busy = false;
    ++delivered_;
    progress_.notify_all();
}

void DecodeQueue::drain() {
    std::unique_lock<std::mutex> lock(mutex_);
    progress_.wait(lock, [this] { return delivered_ == submitted_; });
}

std::uint64_t DecodeQueue::delivered() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return delivered_;
}

}  // namespace daq
