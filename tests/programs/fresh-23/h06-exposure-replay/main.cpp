#include "stages.h"

#include <algorithm>
#include <cstdio>

namespace {

isp::Frame sensorFrame(std::uint32_t sequence, const isp::FrameGeometry& geometry) {
    isp::Frame frame;
    frame.sequence = sequence;
    frame.raw.resize(geometry.pixels());
    for (std::size_t i = 0; i < frame.raw.size(); ++i)
        frame.raw[i] = static_cast<std::uint16_t>(64 + (i * 13 + sequence * 401) % (1500 + 300 * sequence));
    return frame;
}

isp::Metering expected(const isp::Frame& frame) {
    isp::Metering metering;
    metering.sequence = frame.sequence;
    for (std::uint16_t value : frame.raw) {
        const unsigned luma = value - 64u;
        metering.total += luma;
        metering.clipped += luma >= 3800u ? 1u : 0u;
    }
    return metering;
}

}  // namespace

int main() {
    const isp::FrameGeometry geometry;
    constexpr std::uint32_t kFrames = 10;
    try {
        isp::FrameQueue queue;
        std::vector<isp::Metering> reference;
        for (std::uint32_t i = 0; i < kFrames; ++i) {
            isp::Frame frame = sensorFrame(i, geometry);
            reference.push_back(expected(frame));
            queue.push(std::move(frame));
        }

        isp::Pipeline pipeline(queue, geometry);
        int wrong = 0;
        while (!queue.empty()) {
            const isp::Metering metering = pipeline.process();
            const isp::Metering& right = reference[metering.sequence];
            if (metering.total != right.total || metering.clipped != right.clipped) ++wrong;
            std::printf("frame %u clipped %u\n", metering.sequence, metering.clipped);
        }
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
    } catch (const isp::GpuError& error) {
        std::printf("ERROR %s\n", error.what());
        return 1;
    }
    return 0;
}
