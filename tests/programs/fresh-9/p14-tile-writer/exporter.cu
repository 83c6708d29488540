#include "exporter.h"

namespace tiles {
namespace {

__global__ void shade_tile(std::uint32_t* out, std::size_t n, std::uint32_t tile, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
        out[i] = shade(static_cast<std::uint32_t>(i), tile);
}

}  // namespace

Exporter::Exporter(ExportOptions opt) : opt_(std::move(opt)) {
    lanes_.reserve(opt_.lanes);
    for (int l = 0; l < opt_.lanes; ++l) {
        cudaStream_t s = nullptr;
        std::uint32_t* d = nullptr;
        require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        require(cudaMalloc(&d, pixels() * sizeof(std::uint32_t)));
        lanes_.push_back(Lane{s, d, HostArray<std::uint32_t>(pixels(), opt_.host)});
    }
}

Exporter::~Exporter() {
    for (Lane& l : lanes_) {
        cudaStreamSynchronize(l.stream);
        cudaFree(l.device);
        cudaStreamDestroy(l.stream);
    }
}

void Exporter::render(int lane, int tile) {
    Lane& l = lanes_[lane];
    shade_tile<<<32, 256, 0, l.stream>>>(l.device, pixels(), static_cast<std::uint32_t>(tile), opt_.shade_ns);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(l.host.data(), l.device, pixels() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, l.stream));
}

void Exporter::wait(int lane) { require(cudaStreamSynchronize(lanes_[lane].stream)); }

}  // namespace tiles
