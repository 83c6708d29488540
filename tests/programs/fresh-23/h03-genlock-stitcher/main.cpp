#include "stitcher.h"

#include <cstdio>

namespace {

std::uint8_t pixel(std::uint32_t frame, std::size_t index) {
    return static_cast<std::uint8_t>((index * 31 + frame * 17) >> 3);
}

int compare(const StitcherConfig& config, std::uint32_t frame, const std::vector<std::uint32_t>& columns) {
    int wrong = 0;
    for (int x = 0; x < config.width; ++x) {
        std::uint32_t sum = 0;
        for (int row = 0; row < config.cameras * config.height; ++row)
            sum += pixel(frame, static_cast<std::size_t>(row) * config.width + x);
        if (sum != columns[x]) ++wrong;
    }
    return wrong;
}

Status play(const StitcherConfig& config, std::uint32_t frames, int* wrong) {
    Stitcher stitcher(config);
    FORWARD_IF_BAD(stitcher.start());
    std::vector<std::uint32_t> columns;
    for (std::uint32_t frame = 1; frame <= frames; ++frame) {
        if (frame > Stitcher::kDepth) {
            const std::uint32_t oldest = frame - Stitcher::kDepth;
            FORWARD_IF_BAD(stitcher.collect(oldest, &columns));
            *wrong += compare(config, oldest, columns);
        }
        std::uint8_t* input = stitcher.input(frame);
        for (std::size_t i = 0; i < stitcher.pictureBytes(); ++i) input[i] = pixel(frame, i);
        FORWARD_IF_BAD(stitcher.submit(frame));
    }
    for (std::uint32_t frame = frames - Stitcher::kDepth + 1; frame <= frames; ++frame) {
        FORWARD_IF_BAD(stitcher.collect(frame, &columns));
        *wrong += compare(config, frame, columns);
    }
    return Status::ok();
}

}  // namespace

int main() {
    int wrong = 0;
    const Status status = play(StitcherConfig{}, 12, &wrong);
    if (!status.good()) {
        std::printf("ERROR %s\n", status.name().c_str());
        return 1;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
