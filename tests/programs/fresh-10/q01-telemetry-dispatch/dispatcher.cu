#include "dispatcher.h"
#include "check.h"

#include <utility>

namespace telemetry {

namespace {

__device__ unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Despreads the carrier for a while and integrates the energy of the packet.
__global__ void integrate(const float* samples, int count, double* energy, unsigned long long ns) {
    const unsigned long long start = nowNs();
    while (nowNs() - start < ns) {
    }
    __shared__ double partial[256];
    double sum = 0.0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += double(samples[i]) * samples[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) *energy = partial[0];
}

}  // namespace

Lane::Lane(std::size_t samples) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(&samples_, samples * sizeof(float)));
    check(cudaMalloc(&energy_, sizeof(double)));
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaFree(energy_);
    cudaFree(samples_);
    cudaStreamDestroy(stream_);
}

Packet::Packet(std::size_t count) {
    check(cudaMallocHost(&samples, count * sizeof(float)));
    check(cudaMallocHost(&energy, sizeof(double)));
}

Packet::~Packet() {
    cudaFreeHost(energy);
    cudaFreeHost(samples);
}

Dispatcher::Dispatcher(int lanes, std::size_t samplesPerPacket) : samples_(samplesPerPacket) {
    for (int i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(samples_));
}

std::unique_ptr<Packet> Dispatcher::makePacket(int id) const {
    auto packet = std::make_unique<Packet>(samples_);
    packet->id = id;
    *packet->energy = -1.0;
    return packet;
}

void Dispatcher::submit(std::unique_ptr<Packet> packet) {
    packet->owner = this;
    Packet* p = packet.get();
    Lane& lane = *lanes_[p->id % lanes_.size()];
    {
        std::lock_guard<std::mutex> lock(mutex_);
        inFlight_.emplace(p->id, std::move(packet));
    }
    check(cudaMemcpyAsync(lane.samples(), p->samples, samples_ * sizeof(float), cudaMemcpyHostToDevice,
                          lane.stream()));
    integrate<<<1, 256, 0, lane.stream()>>>(lane.samples(), int(samples_), lane.energy(), 60000000ull);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(p->energy, lane.energy(), sizeof(double), cudaMemcpyDeviceToHost, lane.stream()));
    check(cudaLaunchHostFunc(lane.stream(), &Dispatcher::onPacket, p));
}

void CUDART_CB Dispatcher::onPacket(void* user) {
    auto* packet = static_cast<Packet*>(user);
    packet->owner->retire(packet);
}

void Dispatcher::retire(Packet* packet) {
    std::lock_guard<std::mutex> lock(mutex_);
    summaries_.push_back({packet->id, *packet->energy});
    auto it = inFlight_.find(packet->id);
    retired_.push_back(std::move(it->second));
    inFlight_.erase(it);
}

std::vector<Summary> Dispatcher::drain() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& lane : lanes_) check(cudaStreamSynchronize(lane->stream()));
    retired_.clear();
    return std::exchange(summaries_, {});
}

}  // namespace telemetry
