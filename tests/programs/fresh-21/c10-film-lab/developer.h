// Develops scanned frames through a chain of stages, several frames at a time.
//
//     film::Developer developer(1920, 1080, 4);
//     developer.emplace<film::GradeStage>();
//     developer.emplace<film::VignetteStage>(0.2f);
//     for (...) developer.develop(d_scan[i], d_print[i], grade[i]);
//     developer.wait();
//
// Consecutive frames go to the lanes in turn. Frames in different lanes are developed concurrently; frames of
// one lane follow each other. develop() enqueues and returns. Scan and print are float4 images on the device, which
// hold still until wait() has returned. Further stages derive from film::Stage.
#pragma once

#include "stage.h"

#include <memory>
#include <utility>
#include <vector>

namespace film {

class Developer {
public:
    Developer(int width, int height, int lanes) : width_(width), height_(height) {
        lanes_.reserve(static_cast<std::size_t>(lanes));
        for (int i = 0; i < lanes; ++i) lanes_.emplace_back(pixels());
    }

    template <typename S, typename... Args>
    S& emplace(Args&&... args) {
        auto stage = std::make_unique<S>(std::forward<Args>(args)...);
        S& reference = *stage;
        chain_.push_back(std::move(stage));
        return reference;
    }

    void develop(const float4* scan, float4* print, const Grade& grade) {
        const Lane& lane = lanes_[turn_++ % lanes_.size()];
        const FrameView frame{lane.work(), width_, height_, grade};
        copyPixels(lane.work(), scan, pixels(), lane.stream());
        for (const auto& stage : chain_) stage->enqueue(frame, lane.stream());
        copyPixels(print, lane.work(), pixels(), lane.stream());
    }

    void wait() {
        for (const Lane& lane : lanes_) check(cudaStreamSynchronize(lane.stream()));
    }

private:
    std::size_t pixels() const noexcept { return std::size_t(width_) * height_; }

    int width_, height_;
    std::vector<std::unique_ptr<Stage>> chain_;
    std::vector<Lane> lanes_;
    std::size_t turn_ = 0;
};

}  // namespace film
