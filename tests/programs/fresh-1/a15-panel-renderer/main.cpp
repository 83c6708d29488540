#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "tile_lane.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLanes = 4;
constexpr int kTiles = 16;
constexpr int kPixels = 256 * 256;

double millisecondsSince(Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

class Renderer {
public:
    Renderer() {
        for (int l = 0; l < kLanes; ++l) lanes_.push_back(std::make_unique<render::TileLane>(kPixels));
        for (auto& lane : lanes_) {
            lane->submit({0});
            lane->collect();
        }
    }

    double timeOneTile() {
        const auto begin = Clock::now();
        lanes_[0]->submit({1});
        wrong_ += lanes_[0]->collect();
        return millisecondsSince(begin);
    }

    double timeScene() {
        const auto begin = Clock::now();
        for (int t = 0; t < kTiles; ++t) {
            render::TileLane& lane = *lanes_[t % kLanes];
            wrong_ += lane.collect();
            lane.submit({t});
        }
        for (auto& lane : lanes_) wrong_ += lane->collect();
        return millisecondsSince(begin);
    }

    int wrong() const { return wrong_; }

private:
    std::vector<std::unique_ptr<render::TileLane>> lanes_;
    int wrong_ = 0;
};

}  // namespace

int main() {
    try {
        Renderer renderer;
        const double tile = renderer.timeOneTile();
        const double scene = renderer.timeScene();
        const double ratio = scene / (tile * (kTiles / kLanes));
        std::printf("tile %.1f ms, scene %.1f ms\n", tile, scene);
        if (renderer.wrong()) std::printf("WRONG %d\n", renderer.wrong());
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const render::RenderError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
