#include "muxer.h"

namespace mux {

void Muxer::write_segment(int group) {
    check(cudaEventSynchronize(encoder_.group_mark()));
    Segment segment;
    segment.first_frame = group * config_.gop;
    segment.packets.reserve(config_.gop);
    for (int k = 0; k < config_.gop; ++k) segment.packets.push_back(queue_.take());
    segments_.push_back(std::move(segment));
}

}  // namespace mux
