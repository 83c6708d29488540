#include "ferry.h"

#include <algorithm>

namespace ferry {

namespace {

__global__ void expand(const std::uint8_t* in, float* out, std::size_t count, float step, float zero) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        out[i] = step * in[i] + zero;
}

int grid_for(std::size_t count) {
    return static_cast<int>(std::min<std::size_t>((count + 255) / 256, 1024));
}

}  // namespace

Route Ferry::route(const SubmitOptions& options) const {
    Route r{config_.stream, config_.stream};
    if (options.stream) r.work = r.signal = *options.stream;
    return r;
}

Shipment::Shipment(Ferry& ferry) : ferry_(&ferry), slab_(ferry.pool().take()) {}

bool Shipment::add(float* dst, const std::uint8_t* src, std::size_t count, Scale scale) {
    if (count > slab_->room()) return false;
    pieces_.push_back({dst, slab_->append(src, count), count, scale});
    return true;
}

void Shipment::issue(const Piece& piece, cudaStream_t stream) {
    std::uint8_t* staged = slab_->mirror(piece.at);
    FERRY_CHECK(cudaMemcpyAsync(staged, slab_->host(piece.at), piece.count, cudaMemcpyHostToDevice, stream));
    expand<<<grid_for(piece.count), 256, 0, stream>>>(staged, piece.dst, piece.count, piece.scale.step,
                                                      piece.scale.zero);
    FERRY_CHECK(cudaGetLastError());
}

void Shipment::submit(const SubmitOptions& options) {
    const Route route = ferry_->route(options);
    for (const Piece& piece : pieces_) issue(piece, route.work);
    slab_->seal(route.signal);
    pieces_.clear();
    slab_.reset();
}

void Ferry::upload(float* dst, const std::uint8_t* src, std::size_t count, Scale scale,
                   const SubmitOptions& options) {
    for (std::size_t done = 0; done < count;) {
        const std::size_t part = std::min(count - done, config_.slab_bytes);
        Shipment shipment(*this);
        shipment.add(dst + done, src + done, part, scale);
        shipment.submit(options);
        done += part;
    }
}

}  // namespace ferry
