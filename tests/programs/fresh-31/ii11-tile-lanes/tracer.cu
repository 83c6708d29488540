#include "tracer.h"

namespace farm {

namespace {

__global__ void trace_tile(unsigned* tile_pixels, int pixels, int tile, unsigned ms) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ms * 1000000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        tile_pixels[i] = static_cast<unsigned>(tile) * 65599u + static_cast<unsigned>(i);
}

}  // namespace

Tracer::Tracer(const RenderConfig& config, const LaneSet& lanes, Telemetry& telemetry)
    : config_(config), lanes_(lanes), telemetry_(telemetry) {
    const std::size_t pixels = static_cast<std::size_t>(config.tile_edge) * config.tile_edge * config.tiles;
    ensure(cudaMalloc(reinterpret_cast<void**>(&frame_), pixels * sizeof(unsigned)));
    ensure(cudaMemset(frame_, 0, pixels * sizeof(unsigned)));
    ensure(cudaDeviceSynchronize());
}

Tracer::~Tracer() {
    cudaFree(frame_);
}

void Tracer::trace(int tile, unsigned ms) {
    const int pixels = config_.tile_edge * config_.tile_edge;
    const int lane = tile % lanes_.size();
    trace_tile<<<8, 128, 0, lanes_.at(lane)>>>(frame_ + static_cast<std::size_t>(tile) * pixels, pixels, tile, ms);
    ensure(cudaGetLastError());
    telemetry_.submitted(lane);
}

void Tracer::prime() {
    for (int tile = 0; tile < config_.tiles; ++tile) trace(tile, 0);
    lanes_.finish();
    telemetry_.reset();
    ensure(cudaMemset(frame_, 0, static_cast<std::size_t>(config_.tile_edge) * config_.tile_edge * config_.tiles * sizeof(unsigned)));
    ensure(cudaDeviceSynchronize());
}

void Tracer::submit(int tile) {
    trace(tile, config_.tile_ms);
}

int Tracer::check() const {
    const int pixels = config_.tile_edge * config_.tile_edge;
    std::vector<unsigned> frame(static_cast<std::size_t>(pixels) * config_.tiles);
    ensure(cudaMemcpy(frame.data(), frame_, frame.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int tile = 0; tile < config_.tiles; ++tile)
        for (int i = 0; i < pixels; ++i)
            wrong += frame[static_cast<std::size_t>(tile) * pixels + i] !=
                     static_cast<unsigned>(tile) * 65599u + static_cast<unsigned>(i);
    return wrong;
}

}  // namespace farm
