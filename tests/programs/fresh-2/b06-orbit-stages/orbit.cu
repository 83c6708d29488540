#include "stage.h"
#include <cmath>

namespace {

constexpr int kBodies = 1 << 15;
constexpr int kSteps = 4;

struct Launch {
    int blocks = 64;
    int threads = 128;
};

__device__ void burn(long long cycles) {
    const long long t0 = clock64();
    while (clock64() - t0 < cycles) {
    }
}

__global__ void accelerate(const float* pos, float* acc, int n, long long cycles) {
    burn(cycles);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc[i] = 0.5f * pos[i] + 1.0f;
}

__global__ void drift(float* pos, const float* acc, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        pos[i] += 0.25f * acc[i];
}

__global__ void energy(const float* pos, float* out, int n, long long cycles) {
    burn(cycles);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = pos[i] * pos[i];
}

template <class T>
class Field {
public:
    explicit Field(int n) : n_(n) {
        flow::check(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)));
        flow::check(cudaMemset(p_, 0, n * sizeof(T)));
        flow::check(cudaDeviceSynchronize());
    }
    ~Field() { cudaFree(p_); }
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;
    T* data() { return p_; }
    std::vector<T> download(const flow::Stage& stage) const {
        std::vector<T> h(n_);
        flow::check(cudaMemcpyAsync(h.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost, stage.stream()));
        stage.finish();
        return h;
    }

private:
    T* p_ = nullptr;
    int n_;
};

class Simulation {
public:
    std::vector<float> run() {
        constexpr Launch k;
        for (int step = 0; step < kSteps; ++step) {
            {
                auto section = force_.open();
                accelerate<<<k.blocks, k.threads, 0, section>>>(pos_.data(), acc_.data(), kBodies, 30000000ll);
            }
            {
                auto section = move_.open();
                drift<<<k.blocks, k.threads, 0, section>>>(pos_.data(), acc_.data(), kBodies);
            }
            flow::check(cudaGetLastError());
            move_.finish();
        }
        force_.open();
        accelerate<<<k.blocks, k.threads, 0, force_.stream()>>>(pos_.data(), acc_.data(), kBodies, 60000000ll);
        {
            auto section = move_.open();
            drift<<<k.blocks, k.threads, 0, section>>>(pos_.data(), acc_.data(), kBodies);
        }
        {
            auto section = report_.open();
            energy<<<k.blocks, k.threads, 0, section>>>(pos_.data(), energy_.data(), kBodies, 1000000ll);
        }
        flow::check(cudaGetLastError());
        auto host = energy_.download(report_);
        force_.finish();
        move_.finish();
        return host;
    }

private:
    Field<float> pos_{kBodies}, acc_{kBodies}, energy_{kBodies};
    flow::Stage force_{"force"};
    flow::Stage move_{"move", {&force_}};
    flow::Stage report_{"report", {&move_}};
};

float reference() {
    float pos = 0.0f;
    for (int s = 0; s <= kSteps; ++s) pos += 0.25f * (0.5f * pos + 1.0f);
    return pos * pos;
}

}  // namespace

int main() {
    Simulation sim;
    const auto got = sim.run();
    const float want = reference();
    int bad = 0;
    for (float v : got)
        if (std::fabs(v - want) > 1e-3f) ++bad;
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
