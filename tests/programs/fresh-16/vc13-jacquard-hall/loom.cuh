#pragma once
#include <cuda_runtime.h>
#include "yarn_pool.h"

namespace hall {

constexpr int kPicks = 512;
constexpr int kHooks = 256;
constexpr int kCloth = kPicks * kHooks;
constexpr unsigned long long kLiftNs = 8'000'000;
constexpr unsigned long long kBeatNs = 8'000'000;

inline void rt(cudaError_t rc) {
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

__host__ __device__ inline int hookUp(int loom, int panel, int pick, int hook) {
    return ((pick * (loom + 3) + hook * 5 + panel * 7) % 11) < 4;
}

__device__ inline void run(unsigned long long ns) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
}

__global__ void lift(int* shed, int loom, int panel) {
    run(kLiftNs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCloth; i += gridDim.x * blockDim.x)
        shed[i] = hookUp(loom, panel, i / kHooks, i % kHooks);
}

__global__ void beat(const int* shed, unsigned char* cloth) {
    run(kBeatNs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCloth; i += gridDim.x * blockDim.x)
        cloth[i] = static_cast<unsigned char>(shed[i] ? 200 : 40);
}

__global__ void punchClock(unsigned* strokes) { atomicAdd(strokes, 1u); }

class Loom {
public:
    Loom(int number, int panels) : number_(number), pool_(0) {
        rt(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        rt(cudaMallocHost(reinterpret_cast<void**>(&bolt_), static_cast<std::size_t>(panels) * kCloth));
    }
    ~Loom() {
        cudaFreeHost(bolt_);
        cudaStreamDestroy(stream_);
    }
    Loom(const Loom&) = delete;
    Loom& operator=(const Loom&) = delete;

    void weave(int panel) {
        Yarn<int> shed(pool_, kCloth, stream_);
        lift<<<2, 256, 0, stream_>>>(shed.get(), number_, panel);
        rt(cudaGetLastError());
        Yarn<unsigned char> cloth(pool_, kCloth, stream_);
        beat<<<2, 256, 0, stream_>>>(shed.get(), cloth.get());
        rt(cudaGetLastError());
        rt(cudaMemcpyAsync(bolt_ + static_cast<std::size_t>(panel) * kCloth, cloth.get(), kCloth, cudaMemcpyDeviceToHost, stream_));
    }

    void rest() const { rt(cudaStreamSynchronize(stream_)); }

    int flaws(int panels) const {
        int bad = 0;
        for (int p = 0; p < panels; ++p)
            for (int i = 0; i < kCloth; ++i)
                if (bolt_[static_cast<std::size_t>(p) * kCloth + i] != (hookUp(number_, p, i / kHooks, i % kHooks) ? 200 : 40)) ++bad;
        return bad;
    }

private:
    int number_;
    YarnPool pool_;
    cudaStream_t stream_ = nullptr;
    unsigned char* bolt_ = nullptr;
};

}  // namespace hall
