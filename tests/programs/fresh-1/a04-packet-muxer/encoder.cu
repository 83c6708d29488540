#include "encoder.h"

#include <memory>

namespace codec {
namespace {

__global__ void quantise(std::uint8_t* out, std::size_t n, int pts) {
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = static_cast<std::uint8_t>((i * 31 + pts * 7) >> 2);
}

}  // namespace

Encoder::Encoder(std::size_t frameBytes, int maxFrames, PacketQueue& out) : frameBytes_(frameBytes), out_(out) {
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMalloc(&coded_, frameBytes_));
    ok(cudaMallocHost(&bitstream_, frameBytes_ * maxFrames));
}

Encoder::~Encoder() {
    cudaStreamSynchronize(stream_);
    cudaFreeHost(bitstream_);
    cudaFree(coded_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Encoder::deliver(void* arg) {
    std::unique_ptr<Delivery> d(static_cast<Delivery*>(arg));
    d->queue->put(d->packet);
}

void Encoder::submit(int pts) {
    std::uint8_t* slot = bitstream_ + frameBytes_ * pts;
    quantise<<<64, 256, 0, stream_>>>(coded_, frameBytes_, pts);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(slot, coded_, frameBytes_, cudaMemcpyDeviceToHost, stream_));
    auto delivery = std::make_unique<Delivery>(Delivery{&out_, Packet{pts, slot, frameBytes_}});
    ok(cudaLaunchHostFunc(stream_, &Encoder::deliver, delivery.get()));
    delivery.release();
}

void Encoder::flush() { ok(cudaStreamSynchronize(stream_)); }

}  // namespace codec
