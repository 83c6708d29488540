#pragma once
#include "device_buffer.cuh"

namespace vox {

struct options {
    std::uint32_t cells = 1u << 16;
    unsigned long long beam_model_ns = 60'000'000ull;   // cost of the intensity calibration
    int blocks = 128;
    int threads = 256;
};

struct sweep_view {
    const std::uint32_t* ranges;   // device, packed range/azimuth
    std::size_t count;
};

struct grid_view {
    std::uint32_t* occupancy;   // device, cells entries
    std::uint32_t* intensity;   // device, cells entries
    std::uint32_t* order;       // device, one entry per return
};

// Turns lidar sweeps into a voxel grid. Results are ready in the order of the caller's stream.
class voxelizer {
  public:
    voxelizer(options opt, memory_resource& mr);
    ~voxelizer();
    voxelizer(const voxelizer&) = delete;
    voxelizer& operator=(const voxelizer&) = delete;

    void process(sweep_view in, grid_view out, cudaStream_t stream);

  private:
    options opt_;
    memory_resource& mr_;
    cudaStream_t side_ = nullptr;
    cudaEvent_t keys_ready_ = nullptr;
    cudaEvent_t side_done_ = nullptr;
};

__host__ __device__ inline std::uint32_t key_of(std::uint32_t packed, std::uint32_t cells) {
    return (packed * 2654435761u >> 7) % cells;
}
__host__ __device__ inline std::uint32_t intensity_of(std::uint32_t packed) { return 1u + (packed >> 5 & 63u); }
__host__ __device__ inline std::uint32_t rank_of(std::uint32_t i, std::uint32_t cells) { return (i * 7u + 3u) % cells; }

}  // namespace vox
