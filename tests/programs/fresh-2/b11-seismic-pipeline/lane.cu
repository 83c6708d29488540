#include "lane.cuh"

namespace seis {

__global__ void migrateKernel(const float* in, float* out, std::size_t n, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = 2.0f * in[i] + 1.0f;
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

Lane::Lane(std::size_t samples) : samples_(samples) {
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    verify(cudaMalloc(reinterpret_cast<void**>(&in_), samples * sizeof(float)));
    verify(cudaMalloc(reinterpret_cast<void**>(&out_), samples * sizeof(float)));
}

Lane::~Lane() {
    cudaFree(in_);
    cudaFree(out_);
    cudaStreamDestroy(stream_);
}

void Lane::prime() {
    verify(cudaMemsetAsync(in_, 0, samples_ * sizeof(float), stream_));
    migrateKernel<<<1, 512, 0, stream_>>>(in_, out_, samples_, 0);
    verify(cudaGetLastError());
    wait();
}

void Lane::migrate(Shot& shot, unsigned long long ns) {
    const std::size_t bytes = samples_ * sizeof(float);
    verify(cudaMemcpyAsync(in_, shot.traces.data(), bytes, cudaMemcpyHostToDevice, stream_));
    migrateKernel<<<1, 512, 0, stream_>>>(in_, out_, samples_, ns);
    verify(cudaGetLastError());
    verify(cudaMemcpyAsync(shot.image.data(), out_, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Lane::wait() const { verify(cudaStreamSynchronize(stream_)); }

}  // namespace seis
