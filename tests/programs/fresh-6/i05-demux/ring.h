#pragma once
#include "cuda_raii.h"

#include <cstdint>
#include <vector>

struct Slot {
    Slot(std::size_t n, cudaStream_t feeder)
        : packet(n), stream(feeder), filled(gpu::make_event()), drained(gpu::make_event()) {}

    gpu::Buffer<std::uint32_t> packet;
    cudaStream_t stream;
    gpu::Event filled;
    gpu::Event drained;
};

// Fixed set of device packets that travel between the feeder and the decoder.
class PacketRing {
public:
    PacketRing(std::size_t slots, std::size_t words, cudaStream_t feeder) {
        slots_.reserve(slots);
        for (std::size_t i = 0; i < slots; ++i) slots_.emplace_back(words, feeder);
    }

    template <class Fill, class Drain>
    void cycle(Fill&& fill, Drain&& drain, cudaStream_t decoder) {
        Slot& s = slots_[turn_++ % slots_.size()];
        gpu::ok(cudaStreamWaitEvent(s.stream, s.drained.get(), 0));
        fill(s.packet, s.stream);
        gpu::ok(cudaEventRecord(s.filled.get(), s.stream));

        gpu::ok(cudaStreamWaitEvent(decoder, s.filled.get(), 0));
        drain(s.packet, decoder);
        gpu::ok(cudaEventRecord(s.drained.get(), s.stream));
    }

private:
    std::vector<Slot> slots_;
    std::size_t turn_ = 0;
};
