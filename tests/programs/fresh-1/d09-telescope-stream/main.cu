#include <cmath>
#include <vector>

#include "loader.cuh"

namespace scope {

// Matched filter over one chunk: a fixed search time, then the block sums.
__global__ void correlate(const float* in, size_t n, double* power, long long search_ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((long long)(now - begin) < search_ns);
    double mine = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        mine += in[i];
    atomicAdd(power, mine);
}

struct Survey {
    int chunks = 10;
    size_t floats = 1u << 20;
    long long search_ns = 60'000'000;
};

float sample(int chunk, size_t i) { return float((chunk + 1) * 3) + float(i % 5); }

int run(const Survey& cfg) {
    cudaStream_t compute;
    TRY(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    double* power = nullptr;
    TRY(cudaMalloc(&power, sizeof(double) * cfg.chunks));
    TRY(cudaMemsetAsync(power, 0, sizeof(double) * cfg.chunks, compute));
    correlate<<<1, 32, 0, compute>>>(nullptr, 0, power, 0);
    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(compute));

    {
        Loader loader(cfg.floats, [](int chunk, float* into, size_t n) {
            for (size_t i = 0; i < n; ++i) into[i] = sample(chunk, i);
        });
        for (int c = 0; c < cfg.chunks; ++c) {
            const float* data = loader.stage(c, compute);
            correlate<<<32, 256, 0, compute>>>(data, loader.size(), power + c, cfg.search_ns);
            TRY(cudaGetLastError());
            loader.release(c, compute);
        }
        TRY(cudaStreamSynchronize(compute));
    }

    std::vector<double> got(cfg.chunks);
    TRY(cudaMemcpy(got.data(), power, sizeof(double) * cfg.chunks, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int c = 0; c < cfg.chunks; ++c) {
        double want = 0;
        for (size_t i = 0; i < cfg.floats; ++i) want += sample(c, i);
        if (std::fabs(got[c] - want) > 0.5) ++wrong;
    }
    TRY(cudaFree(power));
    TRY(cudaStreamDestroy(compute));
    return wrong;
}

}  // namespace scope

int main() {
    TRY(cudaSetDevice(0));
    if (int wrong = scope::run({}))
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return 0;
}
