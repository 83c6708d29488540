// Chirp processing of a radar front end: window, range compression, Doppler.
// A front end has one lane per mode; a lane owns its stream and its buffers.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <memory>
#include <vector>

namespace radar {

enum class Mode { Search = 0, Track = 1 };

struct ModeSettings {
    int chirps;
    int samples;
    unsigned long long dwell;      // ns of compression per frame
};

class Lane {
public:
    explicit Lane(const ModeSettings& settings);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    const ModeSettings& settings() const { return settings_; }
    cudaStream_t stream() const { return stream_; }
    cudaError_t status() const { return status_; }

    cudaError_t load(const std::vector<int>& frame);
    cudaError_t process();
    cudaError_t read(std::vector<int>& map) const;

private:
    std::size_t cells() const { return static_cast<std::size_t>(settings_.chirps) * settings_.samples; }

    ModeSettings settings_;
    cudaStream_t stream_ = nullptr;
    cudaError_t status_ = cudaSuccess;
    int* raw_ = nullptr;
    int* windowed_ = nullptr;
    int* range_ = nullptr;
    int* map_ = nullptr;
};

class FrontEnd {
public:
    FrontEnd(const ModeSettings& search, const ModeSettings& track);

    void select(Mode mode) { active_ = static_cast<std::size_t>(mode); }
    Lane& lane() { return *lanes_[active_]; }
    const Lane& lane() const { return *lanes_[active_]; }
    cudaStream_t stream() const { return lane().stream(); }
    cudaError_t status() const;

private:
    std::array<std::unique_ptr<Lane>, 2> lanes_;
    std::size_t active_ = 0;
};

} // namespace radar
