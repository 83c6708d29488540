#include "pricer.cuh"

namespace desk {

__global__ void drawPaths(float* paths, int n, float spot) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) paths[i] = spot + static_cast<float>(i % 8);
}

__global__ void payoff(const float* paths, float* out, int n, unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = paths[i] > 4.0f ? paths[i] - 4.0f : 0.0f;
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

Pricer::Pricer(int maxPaths) : arena_(0) {
    float* probe = nullptr;
    expect(cudaMallocHost(reinterpret_cast<void**>(&probe), maxPaths * sizeof(float)));
    price({maxPaths, 0.0f, 0}, probe);
    finish();
    expect(cudaFreeHost(probe));
}

Pricer::~Pricer() { cudaStreamSynchronize(stream_); }

void Pricer::price(const Task& task, float* host) {
    Arena::Block<float> paths(arena_, task.paths, stream_);
    Arena::Block<float> values(arena_, task.paths, stream_);
    drawPaths<<<1, 256, 0, stream_>>>(paths.get(), task.paths, task.spot);
    payoff<<<1, 256, 0, stream_>>>(paths.get(), values.get(), task.paths, task.ns);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(host, values.get(), task.paths * sizeof(float), cudaMemcpyDeviceToHost, stream_));
}

}  // namespace desk
