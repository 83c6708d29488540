#pragma once

#include "status.h"

#include <array>
#include <cstdint>
#include <vector>

struct StitcherConfig {
    int cameras = 4;
    int width = 640;
    int height = 360;
    int seamNanoseconds = 4000000;
};

// One panorama in flight. The genlock word holds the number of the last frame whose camera
// pictures may be read.
enum class Phase : std::uint8_t { Idle, Uploaded, Armed, Released };

struct Panorama {
    Phase phase = Phase::Idle;
    std::uint32_t frame = 0;
    std::uint8_t* pictures = nullptr;
    std::uint32_t* columns = nullptr;
    std::uint8_t* hostPictures = nullptr;
    std::uint32_t* hostColumns = nullptr;
    CUdeviceptr genlock = 0;
    CUevent uploaded = nullptr;
    CUevent stitched = nullptr;
};

class Stitcher {
public:
    static constexpr int kDepth = 2;

    explicit Stitcher(const StitcherConfig& config) : config_(config) {}
    ~Stitcher();
    Stitcher(const Stitcher&) = delete;
    Stitcher& operator=(const Stitcher&) = delete;

    Status start();
    Status submit(std::uint32_t frame);
    Status collect(std::uint32_t frame, std::vector<std::uint32_t>* columns);

    std::size_t pictureBytes() const {
        return static_cast<std::size_t>(config_.cameras) * config_.width * config_.height;
    }
    std::uint8_t* input(std::uint32_t frame) { return slot(frame).hostPictures; }

private:
    Panorama& slot(std::uint32_t frame) { return ring_[frame % kDepth]; }
    Status advance(Panorama& pano);
    Status upload(Panorama& pano);
    Status arm(Panorama& pano);
    Status release(Panorama& pano);

    StitcherConfig config_;
    cudaStream_t upload_ = nullptr;
    cudaStream_t compute_ = nullptr;
    cudaStream_t control_ = nullptr;
    std::array<Panorama, kDepth> ring_;
};
