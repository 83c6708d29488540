// Row-decomposed heat equation across all visible GPUs, halos pulled with peer copies.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define GPU(x)                                                                       \
    do {                                                                             \
        cudaError_t s_ = (x);                                                        \
        if (s_ != cudaSuccess) {                                                     \
            std::fprintf(stderr, "%s @%d: %s\n", #x, __LINE__, cudaGetErrorString(s_)); \
            std::exit(1);                                                            \
        }                                                                            \
    } while (0)

struct Domain {
    int device = 0;
    int rows = 0;
    float* cur = nullptr;
    float* next = nullptr;
    cudaStream_t stream{};
    cudaEvent_t computed{};
};

__global__ void heat(const float* __restrict__ a, float* __restrict__ b, int width, int rows, float k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width || y > rows) return;
    const int i = y * width + x;
    const int l = x > 0 ? i - 1 : i, r = x < width - 1 ? i + 1 : i;
    b[i] = a[i] + k * (a[l] + a[r] + a[i - width] + a[i + width] - 4.f * a[i]);
}

static std::vector<Domain> decompose(int parts, int width, int height, int devices) {
    std::vector<Domain> doms(parts);
    for (int p = 0; p < parts; ++p) {
        Domain& d = doms[p];
        d.device = p % devices;
        d.rows = height / parts + (p < height % parts ? 1 : 0);
        GPU(cudaSetDevice(d.device));
        const size_t bytes = size_t(d.rows + 2) * width * sizeof(float);
        GPU(cudaMalloc(&d.cur, bytes));
        GPU(cudaMalloc(&d.next, bytes));
        std::vector<float> init(size_t(d.rows + 2) * width, 0.f);
        if (p == 0) std::fill(init.begin(), init.begin() + width, 100.f);
        GPU(cudaMemcpy(d.cur, init.data(), bytes, cudaMemcpyHostToDevice));
        GPU(cudaMemcpy(d.next, init.data(), bytes, cudaMemcpyHostToDevice));
        GPU(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
        GPU(cudaEventCreateWithFlags(&d.computed, cudaEventDisableTiming));
        GPU(cudaDeviceSynchronize());
    }
    return doms;
}

static void enable_peers(int devices) {
    for (int a = 0; a < devices; ++a) {
        GPU(cudaSetDevice(a));
        for (int b = 0; b < devices; ++b) {
            int can = 0;
            if (a != b) GPU(cudaDeviceCanAccessPeer(&can, a, b));
            if (can) GPU(cudaDeviceEnablePeerAccess(b, 0));
        }
    }
}

static void exchange(std::vector<Domain>& doms, size_t p, int width) {
    const size_t line = size_t(width) * sizeof(float);
    Domain& d = doms[p];
    GPU(cudaSetDevice(d.device));
    if (p > 0) {
        const Domain& up = doms[p - 1];
        GPU(cudaStreamWaitEvent(d.stream, up.computed, 0));
        GPU(cudaMemcpyPeerAsync(d.next, d.device, up.next + size_t(up.rows) * width, up.device, line, d.stream));
    }
    if (p + 1 < doms.size()) {
        const Domain& dn = doms[p + 1];
        GPU(cudaMemcpyPeerAsync(d.next + size_t(d.rows + 1) * width, d.device, dn.next + width, dn.device, line, d.stream));
    }
}

static void step(std::vector<Domain>& doms, int width, float k) {
    for (Domain& d : doms) {
        GPU(cudaSetDevice(d.device));
        const dim3 block(64, 4), grid((width + 63) / 64, (d.rows + 3) / 4);
        heat<<<grid, block, 0, d.stream>>>(d.cur, d.next, width, d.rows, k);
        GPU(cudaGetLastError());
        GPU(cudaEventRecord(d.computed, d.stream));
    }
    for (size_t p = 0; p < doms.size(); ++p) exchange(doms, p, width);
    for (Domain& d : doms) std::swap(d.cur, d.next);
}

int main(int argc, char** argv) {
    int devices = 0;
    GPU(cudaGetDeviceCount(&devices));
    const int width = argc > 1 ? std::atoi(argv[1]) : 4096;
    const int height = argc > 2 ? std::atoi(argv[2]) : 4096;
    const int steps = argc > 3 ? std::atoi(argv[3]) : 500;
    const int parts = std::max(devices, 4);

    enable_peers(devices);
    auto doms = decompose(parts, width, height, devices);
    for (int s = 0; s < steps; ++s) step(doms, width, 0.2f);

    double total = 0;
    for (Domain& d : doms) {
        GPU(cudaSetDevice(d.device));
        GPU(cudaStreamSynchronize(d.stream));
    }
    for (Domain& d : doms) {
        GPU(cudaSetDevice(d.device));
        std::vector<float> h(size_t(d.rows) * width);
        GPU(cudaMemcpy(h.data(), d.cur + width, h.size() * sizeof(float), cudaMemcpyDeviceToHost));
        for (float v : h) total += v;
        GPU(cudaFree(d.cur));
        GPU(cudaFree(d.next));
        GPU(cudaEventDestroy(d.computed));
        GPU(cudaStreamDestroy(d.stream));
    }
    std::printf("%d GPUs, %d parts, %d steps: total heat %.4f\n", devices, parts, steps, total);
    return 0;
}
