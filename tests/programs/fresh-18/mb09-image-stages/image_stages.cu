// Frame pipeline: upload -> blur -> edge -> download, each stage in its own stream.
#include <cuda_runtime.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace cu {
inline void ok(cudaError_t e, const char* what) {
    if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}
struct Stream {
    cudaStream_t s{};
    Stream() { ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "stream"); }
    ~Stream() { cudaStreamDestroy(s); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return s; }
};
struct Event {
    cudaEvent_t e{};
    Event() { ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "event"); }
    ~Event() { cudaEventDestroy(e); }
    Event(const Event&) = delete;
    void record(cudaStream_t s) { ok(cudaEventRecord(e, s), "record"); }
    void gate(cudaStream_t s) { ok(cudaStreamWaitEvent(s, e, 0), "wait"); }
    void sync() { ok(cudaEventSynchronize(e), "sync"); }
};
}  // namespace cu

template <int R>
__global__ void blur(const uint8_t* in, float* out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0.f;
    for (int dy = -R; dy <= R; ++dy)
        for (int dx = -R; dx <= R; ++dx) {
            const int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
            sum += in[yy * w + xx];
        }
    out[y * w + x] = sum / ((2 * R + 1) * (2 * R + 1));
}

__global__ void edges(const float* in, uint8_t* out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const int xl = max(x - 1, 0), xr = min(x + 1, w - 1), yu = max(y - 1, 0), yd = min(y + 1, h - 1);
    const float gx = in[y * w + xr] - in[y * w + xl];
    const float gy = in[yd * w + x] - in[yu * w + x];
    out[y * w + x] = static_cast<uint8_t>(fminf(255.f, sqrtf(gx * gx + gy * gy)));
}

struct Slot {
    uint8_t *h_in = nullptr, *h_out = nullptr, *d_in = nullptr, *d_out = nullptr;
    float* d_tmp = nullptr;
    cu::Event uploaded, filtered, drained;
    int frame = -1;
    void allocate(size_t px) {
        cu::ok(cudaMallocHost(&h_in, px), "h_in");
        cu::ok(cudaMallocHost(&h_out, px), "h_out");
        cu::ok(cudaMalloc(&d_in, px), "d_in");
        cu::ok(cudaMalloc(&d_out, px), "d_out");
        cu::ok(cudaMalloc(&d_tmp, px * sizeof(float)), "d_tmp");
    }
    ~Slot() {
        cudaFreeHost(h_in); cudaFreeHost(h_out);
        cudaFree(d_in); cudaFree(d_out); cudaFree(d_tmp);
    }
};

static void synthesize(uint8_t* img, int w, int h, int frame) {
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) img[y * w + x] = uint8_t(((x + frame) ^ y) & 0xff);
}

static uint64_t consume(Slot& s, size_t px) {
    if (s.frame < 0) return 0;
    s.drained.sync();
    uint64_t sum = 0;
    for (size_t i = 0; i < px; ++i) sum += s.h_out[i];
    s.frame = -1;
    return sum;
}

int main(int argc, char** argv) try {
    const int w = 1920, h = 1080, frames = argc > 1 ? std::atoi(argv[1]) : 60;
    const size_t px = size_t(w) * h;
    cu::Stream up, work, down;
    std::array<Slot, 3> slots;
    for (auto& s : slots) s.allocate(px);

    const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
    uint64_t total = 0;
    for (int f = 0; f < frames; ++f) {
        Slot& s = slots[f % slots.size()];
        total += consume(s, px);
        synthesize(s.h_in, w, h, f);

        cu::ok(cudaMemcpyAsync(s.d_in, s.h_in, px, cudaMemcpyHostToDevice, up), "h2d");
        s.uploaded.record(up);

        s.uploaded.gate(work);
        blur<3><<<grid, block, 0, work>>>(s.d_in, s.d_tmp, w, h);
        s.filtered.record(work);
        edges<<<grid, block, 0, work>>>(s.d_tmp, s.d_out, w, h);
        cu::ok(cudaGetLastError(), "launch");

        s.filtered.gate(down);
        cu::ok(cudaMemcpyAsync(s.h_out, s.d_out, px, cudaMemcpyDeviceToHost, down), "d2h");
        s.drained.record(down);
        s.frame = f;
    }
    for (auto& s : slots) total += consume(s, px);
    cu::ok(cudaDeviceSynchronize(), "finish");
    std::printf("%d frames, edge energy %llu\n", frames, (unsigned long long)total);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
}
