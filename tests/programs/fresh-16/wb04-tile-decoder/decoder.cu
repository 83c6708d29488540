#include <chrono>

#include "decoder.cuh"

namespace tiles {

namespace {

__global__ void dequantise(const short* coeffs, int* out, int n, int step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = coeffs[i] * step + 128;
}

int step_of(int tile) { return 2 + tile % 7; }

}  // namespace

void entropy_decode(int tile, short* out) {
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    for (int i = 0; i < kTileElems; ++i) out[i] = short((tile * 131 + i) % 1021 - 510);
}

int dequantised(int tile, int elem) {
    return ((tile * 131 + elem) % 1021 - 510) * step_of(tile) + 128;
}

TileDecoder::TileDecoder(WorkerPool& pool, int lanes, int tiles)
    : pool_(pool), lanes_(lanes), tiles_(tiles) {
    for (Lane& l : lanes_) {
        require(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
        require(cudaMalloc(&l.coeffs, kTileElems * sizeof(short)));
        l.slot = std::make_unique<Slot>(kTileElems * sizeof(short));
    }
    require(cudaMalloc(&image_, size_t(tiles) * kTileElems * sizeof(int)));
}

TileDecoder::~TileDecoder() {
    for (Lane& l : lanes_) {
        cudaStreamSynchronize(l.stream);
        cudaFree(l.coeffs);
        cudaStreamDestroy(l.stream);
    }
    cudaFree(image_);
}

void TileDecoder::decode(int tile) {
    Lane& lane = lanes_[tile % lanes_.size()];
    Slot* slot = lane.slot.get();
    slot->take();
    std::shared_future<void> decoded = pool_.post([tile, slot] { entropy_decode(tile, slot->data()); });
    hold_until(lane.stream, decoded);
    require(cudaMemcpyAsync(lane.coeffs, slot->data(), kTileElems * sizeof(short),
                            cudaMemcpyHostToDevice, lane.stream));
    slot->give_back_on(lane.stream);
    dequantise<<<(kTileElems + 255) / 256, 256, 0, lane.stream>>>(
        lane.coeffs, image_ + size_t(tile) * kTileElems, kTileElems, step_of(tile));
    require(cudaGetLastError());
}

std::vector<int> TileDecoder::fetch() {
    for (Lane& l : lanes_) require(cudaStreamSynchronize(l.stream));
    std::vector<int> host(size_t(tiles_) * kTileElems);
    require(cudaMemcpy(host.data(), image_, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace tiles
