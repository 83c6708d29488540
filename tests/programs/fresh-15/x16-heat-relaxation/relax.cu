#include "relax.h"

#include <algorithm>
#include <utility>

#include "barrier.cuh"

namespace heat {

namespace {

__global__ void relax(int* a, int* b, int width, int height, int sweeps, GridGate* gate) {
    const int total = width * height;
    int* from = a;
    int* to = b;
    for (int s = 0; s < sweeps; ++s) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
            const int x = i % width;
            const int y = i / width;
            const int c = __ldcg(from + i);
            int v = c;
            if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
                v = (__ldcg(from + i - 1) + __ldcg(from + i + 1) + __ldcg(from + i - width) +
                     __ldcg(from + i + width)) >> 2;
            }
            __stcg(to + i, v);
        }
        passGate(gate, gridDim.x);
        int* t = from;
        from = to;
        to = t;
    }
}

template <class T>
class Device {
public:
    explicit Device(size_t n) { error_ = cudaMalloc(&p_, n * sizeof(T)); }
    ~Device() { cudaFree(p_); }
    Device(const Device&) = delete;
    T* get() const { return p_; }
    cudaError_t error() const { return error_; }

private:
    T* p_ = nullptr;
    cudaError_t error_;
};

}  // namespace

cudaError_t RelaxationBuilder::launch(int* a, int* b, void* gate, cudaStream_t stream) const {
    int device = 0, sms = 0, perSm = 0;
    if (auto e = cudaGetDevice(&device)) return e;
    if (auto e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device)) return e;
    if (auto e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, relax, threads_, 0)) return e;
    const int wanted = (plate_.width * plate_.height + threads_ - 1) / threads_;
    const int blocks = std::min(wanted, sms * perSm);

    Plate p = plate_;
    auto* g = static_cast<GridGate*>(gate);
    void* args[] = {&a, &b, &p.width, &p.height, &p.sweeps, &g};
    return cudaLaunchCooperativeKernel(relax, dim3(blocks), dim3(threads_), args, 0, stream);
}

Outcome RelaxationBuilder::solve() const {
    const size_t n = cells_.size();
    Device<int> a(n), b(n);
    Device<GridGate> gate(1);
    for (auto e : {a.error(), b.error(), gate.error()})
        if (e != cudaSuccess) return {e, {}};

    cudaStream_t stream = nullptr;
    cudaError_t e = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (e != cudaSuccess) return {e, {}};
    std::vector<int> out(n);
    const size_t bytes = n * sizeof(int);
    if (!e) e = cudaMemcpyAsync(a.get(), cells_.data(), bytes, cudaMemcpyHostToDevice, stream);
    if (!e) e = cudaMemsetAsync(gate.get(), 0, sizeof(GridGate), stream);
    if (!e) e = launch(a.get(), b.get(), gate.get(), stream);
    const int* last = plate_.sweeps % 2 ? b.get() : a.get();
    if (!e) e = cudaMemcpyAsync(out.data(), last, bytes, cudaMemcpyDeviceToHost, stream);
    if (!e) e = cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    if (e != cudaSuccess) return {e, {}};
    return {std::nullopt, std::move(out)};
}

std::vector<int> relaxOnHost(const Plate& p, std::vector<int> from) {
    std::vector<int> to = from;
    for (int s = 0; s < p.sweeps; ++s) {
        for (int y = 1; y < p.height - 1; ++y)
            for (int x = 1; x < p.width - 1; ++x) {
                const int i = y * p.width + x;
                to[i] = (from[i - 1] + from[i + 1] + from[i - p.width] + from[i + p.width]) >> 2;
            }
        std::swap(from, to);
    }
    return from;
}

}  // namespace heat
