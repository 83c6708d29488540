#include <cstring>

#include "developer.cuh"

namespace {

__device__ __host__ inline std::uint32_t sensor(int number, int i) {
    return (static_cast<std::uint32_t>(number) * 2654435761u) ^ (static_cast<std::uint32_t>(i) * 40503u);
}

__global__ void develop(std::uint32_t* out, int n, int number, int gain) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = sensor(number, i) * static_cast<std::uint32_t>(gain) + 1u;
}

}  // namespace

Developer::Developer(const CameraConfig& cfg, SlotRing& ring) : cfg_(cfg), ring_(ring) {
    const std::size_t bytes = std::size_t(cfg_.pixels) * sizeof(std::uint32_t);
    ck(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ck(cudaMalloc(&work_, bytes));
    ck(cudaMallocHost(reinterpret_cast<void**>(&landing_), bytes));
    ck(cudaMallocHost(reinterpret_cast<void**>(&out_), bytes * cfg_.slots));
    tickets_.reserve(cfg_.pictures);
}

Developer::~Developer() {
    cudaStreamDestroy(stream_);
    cudaFreeHost(out_);
    cudaFreeHost(landing_);
    cudaFree(work_);
}

void CUDART_CB Developer::onStart(void* p) {
    auto* t = static_cast<Ticket*>(p);
    t->slot = t->owner->ring_.take();
}

void CUDART_CB Developer::onFinish(void* p) {
    auto* t = static_cast<Ticket*>(p);
    Developer& d = *t->owner;
    std::memcpy(d.out_ + std::size_t(t->slot) * d.cfg_.pixels, d.landing_,
                std::size_t(d.cfg_.pixels) * sizeof(std::uint32_t));
    d.ring_.publish(Picture{t->number, t->slot});
}

void Developer::submit(int number) {
    tickets_.push_back(std::make_unique<Ticket>(Ticket{this, number, -1}));
    Ticket* t = tickets_.back().get();
    ck(cudaLaunchHostFunc(stream_, &Developer::onStart, t));
    develop<<<64, 256, 0, stream_>>>(work_, cfg_.pixels, number, cfg_.gain);
    ck(cudaGetLastError());
    ck(cudaMemcpyAsync(landing_, work_, std::size_t(cfg_.pixels) * sizeof(std::uint32_t),
                       cudaMemcpyDeviceToHost, stream_));
    ck(cudaLaunchHostFunc(stream_, &Developer::onFinish, t));
}

void Developer::settle() {
    ck(cudaStreamSynchronize(stream_));
    ck(cudaGetLastError());
}
