// Radar ingest: frames arrive on the host, are uploaded and integrated on the device, one energy value a frame.
#include <cmath>
#include <cstdio>

#include "uploader.h"

namespace {

constexpr std::size_t kSamples = 64 * 1024;
constexpr int kFrames = 16;

__device__ unsigned long long clock_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Coherent integration of one frame (about 25 ms of filtering, then the sum).
__global__ void integrate(const float* frame, std::size_t n, double* energy) {
    __shared__ double part[256];
    const unsigned long long end = clock_ns() + 25000000ull;
    while (clock_ns() < end) __nanosleep(500);
    double acc = 0.0;
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) acc += frame[i];
    part[threadIdx.x] = acc;
    __syncthreads();
    for (int w = blockDim.x / 2; w; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) *energy = part[0];
}

int process() {
    using ingest::check;
    ingest::Uploader uploader(3, kSamples);
    cudaStream_t compute;
    check(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));

    float* d_frame = nullptr;
    double* d_energy = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&d_frame), kSamples * sizeof(float)));
    check(cudaMalloc(reinterpret_cast<void**>(&d_energy), kFrames * sizeof(double)));

    for (int f = 0; f < kFrames; ++f) {
        uploader.upload(
            d_frame, kSamples,
            [f](float* staging, std::size_t n) {
                for (std::size_t i = 0; i < n; ++i) staging[i] = float(f + 1);
            },
            compute);
        integrate<<<1, 256, 0, compute>>>(d_frame, kSamples, d_energy + f);
        check(cudaGetLastError());
    }
    std::vector<double> energy(kFrames);
    check(cudaStreamSynchronize(compute));
    check(cudaMemcpy(energy.data(), d_energy, kFrames * sizeof(double), cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int f = 0; f < kFrames; ++f)
        if (std::fabs(energy[f] - double(f + 1) * kSamples) > 0.5) ++wrong;
    std::printf("frames: %d, staging stalls: %zu\n", kFrames, uploader.stalls());

    check(cudaFree(d_frame));
    check(cudaFree(d_energy));
    check(cudaStreamDestroy(compute));
    return wrong;
}

}  // namespace

int main() {
    int wrong = 0;
    try {
        wrong = process();
    } catch (const ingest::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
