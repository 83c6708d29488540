#pragma once

#include <cstdint>
#include <vector>

#include "encoder.h"
#include "mux_config.h"
#include "packet_queue.h"

namespace mux {

struct Segment {
    int first_frame = 0;
    std::vector<Packet> packets;
};

class Muxer {
public:
    Muxer(const MuxConfig& config, PacketQueue& queue, const Encoder& encoder)
        : config_(config), queue_(queue), encoder_(encoder) {}

    // Closes one segment of the transport stream.
    void write_segment(int group);
    const std::vector<Segment>& segments() const { return segments_; }

private:
    const MuxConfig config_;
    PacketQueue& queue_;
    const Encoder& encoder_;
    std::vector<Segment> segments_;
};

}  // namespace mux
