// Streaming decoder for packed 12-bit detector samples.
//
//     daq::DecodeQueue queue(stream, {4096, 3}, [](const daq::Decoded& d) { ... });
//     queue.submit(id, packed, bytes);
//     queue.drain();
//
// submit() copies the chunk, enqueues upload, decoding and download in the caller's stream and returns; when as
// many chunks as the queue is deep are under way, it waits for the oldest. The sink is called once for each
// chunk, in order, on a thread of the CUDA runtime: it must be short and must not call CUDA. The samples that
// it is shown are gone when it returns. submit() and drain() are called from one thread, delivered() from any.
#pragma once

#include "slot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
#include <condition_variable>

namespace daq {

struct Decoded {
    std::uint64_t id;
    const std::int16_t* samples;
    std::size_t count;
};

using Sink = std::function<void(const Decoded&)>;

struct QueueOptions {
    std::size_t maxBytes;  // of a packed chunk; three bytes carry two samples
    int depth;
};

class DecodeQueue {
public:
    DecodeQueue(cudaStream_t stream, QueueOptions options, Sink sink);
    ~DecodeQueue();
    DecodeQueue(const DecodeQueue&) = delete;
    DecodeQueue& operator=(const DecodeQueue&) = delete;

    void submit(std::uint64_t id, const std::uint8_t* packed, std::size_t bytes);
    void drain();
    std::uint64_t delivered() const;

private:
    struct Entry {
        DecodeQueue* queue = nullptr;
        std::unique_ptr<Slot> slot;
        std::uint64_t id = 0;
        std::size_t count = 0;
        bool busy = false;
    };

    static void CUDART_CB onDecoded(void* entry);
    void deliver(Entry& entry);
    Entry& claim();

    cudaStream_t stream_;
    QueueOptions options_;
    Sink sink_;
    std::vector<Entry> ring_;
    std::uint64_t submitted_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable progress_;
    std::uint64_t delivered_ = 0;
};

}  // namespace daq
