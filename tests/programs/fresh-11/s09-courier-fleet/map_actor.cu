#include "map_actor.cuh"

#include <utility>

namespace {

constexpr unsigned long long kRegisterNanos = 20ull * 1000 * 1000;

// Registration of a scan against the map takes its time before the layer is written.
__global__ void integrateScan(const float* scan, float* layer, int n) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kRegisterNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) layer[i] = scan[i];
}

}  // namespace

MapActor::MapActor(int layers) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    require(cudaMalloc(&map_, static_cast<size_t>(layers) * kScanSamples * sizeof(float)), "map");
    require(cudaMalloc(&inbox_, kScanSamples * sizeof(float)), "inbox");
    thread_ = std::thread([this] { loop(); });
}

MapActor::~MapActor() {
    shutdown();
    cudaFree(inbox_);
    cudaFree(map_);
    cudaStreamDestroy(stream_);
}

void MapActor::post(EnvelopePtr message) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        mailbox_.push_back(std::move(message));
    }
    mail_.notify_one();
}

void MapActor::shutdown() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
    }
    mail_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void MapActor::loop() {
    for (;;) {
        EnvelopePtr message;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            mail_.wait(lock, [this] { return closed_ || !mailbox_.empty(); });
            if (mailbox_.empty()) break;
            message = std::move(mailbox_.front());
            mailbox_.pop_front();
        }
        deliver(*message);
    }
    require(cudaStreamSynchronize(stream_), "drain");
}

void MapActor::deliver(const Envelope& scan) {
    require(cudaMemcpyAsync(inbox_, scan.samples, kScanSamples * sizeof(float),
                            cudaMemcpyHostToDevice, stream_),
            "upload");
    float* target = map_ + static_cast<size_t>(scan.sequence) * kScanSamples;
    integrateScan<<<(kScanSamples + 255) / 256, 256, 0, stream_>>>(inbox_, target, kScanSamples);
    require(cudaGetLastError(), "integrate");
}
