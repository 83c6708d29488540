#include "encoder.cuh"

__global__ void encode_frame(uint32_t* out, size_t n, uint32_t key) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        uint32_t x = key ^ static_cast<uint32_t>(i);
        for (int r = 0; r < 4; ++r) x = (x << 5) + x + 0x9e3779b9u;
        out[i] = x;
    }
}

Encoder::Encoder(int frames, size_t words, PacketQueue& out) : words_(words), out_(out) {
    gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    gpu(cudaMalloc(&device_, words * sizeof(uint32_t)));
    gpu(cudaMallocHost(&pinned_, words * frames * sizeof(uint32_t)));
}

Encoder::~Encoder() {
    cudaStreamDestroy(stream_);
    cudaFree(device_);
    cudaFreeHost(pinned_);
}

void CUDART_CB Encoder::deliver(void* user) {
    auto* d = static_cast<Delivery*>(user);
    d->queue->push(d->packet);
}

void Encoder::submit(int frame, uint32_t key) {
    uint32_t* slot = pinned_ + frame * words_;
    encode_frame<<<64, 256, 0, stream_>>>(device_, words_, key);
    gpu(cudaGetLastError());
    gpu(cudaMemcpyAsync(slot, device_, words_ * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream_));
    deliveries_.push_back(std::make_unique<Delivery>(Delivery{&out_, Packet{frame, slot, words_}}));
    gpu(cudaLaunchHostFunc(stream_, &Encoder::deliver, deliveries_.back().get()));
}

void Encoder::flush() {
    gpu(cudaStreamSynchronize(stream_));
}
