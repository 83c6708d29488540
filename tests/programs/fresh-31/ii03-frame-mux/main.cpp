#include <cstdio>
#include <cstdlib>
#include <string>

#include "encoder.h"
#include "mux_config.h"
#include "muxer.h"
#include "packet_queue.h"

namespace mux {

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace mux

namespace {

std::uint64_t expected_digest(const mux::MuxConfig& config, int frame) {
    std::uint64_t digest = 0;
    const bool key = frame % config.gop == 0;
    for (std::size_t i = 0; i < config.payload_words; ++i) {
        std::uint32_t symbol =
            static_cast<std::uint32_t>(frame) * 2654435761u + static_cast<std::uint32_t>(i) * 40503u;
        if (!key) symbol ^= symbol >> 15;
        digest = digest * 1099511628211ull + symbol;
    }
    return digest;
}

int verify(const mux::MuxConfig& config, const std::vector<mux::Segment>& segments) {
    int wrong = 0;
    if (static_cast<int>(segments.size()) != config.groups) ++wrong;
    for (const auto& segment : segments) {
        int frame = segment.first_frame;
        for (const auto& packet : segment.packets) {
            if (packet.frame != frame || packet.words != config.payload_words ||
                packet.digest != expected_digest(config, frame))
                ++wrong;
            ++frame;
        }
    }
    return wrong;
}

}  // namespace

int main() {
    const mux::MuxConfig config = mux::preset("contribution");
    mux::PacketQueue queue(config.backlog);
    mux::Encoder encoder(config, [&queue](const mux::Packet& packet) { queue.put(packet); });
    mux::Muxer muxer(config, queue, encoder);

    for (int group = 0; group < config.groups; ++group) {
        encoder.submit(group);
        muxer.write_segment(group);
    }

    const int wrong = verify(config, muxer.segments());
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
