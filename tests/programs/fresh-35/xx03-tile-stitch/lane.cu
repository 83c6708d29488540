#include "lane.h"

namespace mosaic {

namespace {

__device__ unsigned long long deviceNanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Iterative aerosol estimate; only its cost matters for this scene.
__device__ void aerosolModel(unsigned micros) {
    const unsigned long long end = deviceNanos() + 1000ull * micros;
    while (deviceNanos() < end) __nanosleep(4000);
}

__global__ void correctTile(const Pixel* raw, Pixel* corrected, std::size_t pixels, Calibration calibration,
                            unsigned micros) {
    aerosolModel(micros);
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < pixels; i += stride) {
        corrected[i] = correctPixel(raw[i], calibration);
    }
}

}  // namespace

Lane::Lane(const SceneConfig& config, EventPool& events)
    : config_(config),
      events_(events),
      stream_(makeStream()),
      raw_(makeDevice<Pixel>(config.tilePixels())),
      corrected_(makeDevice<Pixel>(config.tilePixels())) {}

UniqueEvent Lane::submit(int tile, const Pixel* staged, Pixel* destination) {
    const std::size_t pixels = config_.tilePixels();
    const std::size_t bytes = pixels * sizeof(Pixel);
    cudaStream_t s = stream_.get();

    UniqueEvent uploaded = events_.take();
    MOSAIC_CUDA(cudaMemcpyAsync(raw_.get(), staged, bytes, cudaMemcpyHostToDevice, s));
    MOSAIC_CUDA(cudaEventRecord(uploaded.get(), s));

    correctTile<<<64, 256, 0, s>>>(raw_.get(), corrected_.get(), pixels, calibrationOf(tile),
                                   config_.correctionMicros);
    MOSAIC_CUDA(cudaGetLastError());
    MOSAIC_CUDA(cudaMemcpyAsync(destination, corrected_.get(), bytes, cudaMemcpyDeviceToHost, s));
    return uploaded;
}

void Lane::finish() { MOSAIC_CUDA(cudaStreamSynchronize(stream_.get())); }

}  // namespace mosaic
