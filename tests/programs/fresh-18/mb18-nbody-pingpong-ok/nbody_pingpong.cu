// Small gravitational N-body mini-app with ping-pong particle buffers.
#include <cuda_runtime.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#define CUDA_CHECK(expr)                                                        \
    do {                                                                        \
        cudaError_t err_ = (expr);                                              \
        if (err_ != cudaSuccess) {                                              \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,              \
                         cudaGetErrorString(err_));                             \
            std::exit(EXIT_FAILURE);                                            \
        }                                                                       \
    } while (0)

struct Options {
    int bodies = 16384;
    int steps = 200;
    float dt = 1e-3f;
    float soft = 1e-2f;
};

static Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!std::strcmp(argv[i], "-n")) o.bodies = std::atoi(argv[i + 1]);
        else if (!std::strcmp(argv[i], "-s")) o.steps = std::atoi(argv[i + 1]);
        else if (!std::strcmp(argv[i], "-dt")) o.dt = std::strtof(argv[i + 1], nullptr);
    }
    return o;
}

__global__ void integrate(const float4* __restrict__ in, float4* __restrict__ out,
                          float4* __restrict__ vel, int n, float dt, float soft2) {
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? in[i] : make_float4(0, 0, 0, 0);
    float3 acc = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += blockDim.x) {
        const int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? in[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; ++k) {
            const float4 o = tile[k];
            const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            const float r2 = dx * dx + dy * dy + dz * dz + soft2;
            const float inv = rsqrtf(r2);
            const float s = o.w * inv * inv * inv;
            acc.x += dx * s; acc.y += dy * s; acc.z += dz * s;
        }
        __syncthreads();
    }
    if (i >= n) return;
    float4 v = vel[i];
    v.x += acc.x * dt; v.y += acc.y * dt; v.z += acc.z * dt;
    vel[i] = v;
    out[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

class Simulation {
public:
    explicit Simulation(const Options& o) : opt_(o) {
        const size_t bytes = sizeof(float4) * opt_.bodies;
        for (auto& p : pos_) CUDA_CHECK(cudaMalloc(&p, bytes));
        CUDA_CHECK(cudaMalloc(&vel_, bytes));
        std::mt19937 gen(7);
        std::uniform_real_distribution<float> u(-1.f, 1.f);
        std::vector<float4> init(opt_.bodies);
        for (auto& b : init) b = make_float4(u(gen), u(gen), u(gen), 1.f / opt_.bodies);
        CUDA_CHECK(cudaMemcpy(pos_[0], init.data(), bytes, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(vel_, 0, bytes));
    }
    ~Simulation() {
        for (auto p : pos_) cudaFree(p);
        cudaFree(vel_);
    }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void advance(int steps) {
        const int block = 256, grid = (opt_.bodies + block - 1) / block;
        for (int s = 0; s < steps; ++s) {
            integrate<<<grid, block, block * sizeof(float4)>>>(
                pos_[cur_], pos_[cur_ ^ 1], vel_, opt_.bodies, opt_.dt, opt_.soft * opt_.soft);
            CUDA_CHECK(cudaGetLastError());
            cur_ ^= 1;
        }
    }
    std::vector<float4> positions() const {
        std::vector<float4> h(opt_.bodies);
        CUDA_CHECK(cudaMemcpy(h.data(), pos_[cur_], h.size() * sizeof(float4), cudaMemcpyDeviceToHost));
        return h;
    }

private:
    Options opt_;
    float4* pos_[2] = {};
    float4* vel_ = nullptr;
    int cur_ = 0;
};

int main(int argc, char** argv) {
    const Options opt = parse(argc, argv);
    Simulation sim(opt);

    sim.advance(5);
    CUDA_CHECK(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    sim.advance(opt.steps);
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto t1 = std::chrono::steady_clock::now();

    const double sec = std::chrono::duration<double>(t1 - t0).count();
    const double inter = double(opt.bodies) * opt.bodies * opt.steps;
    const auto pos = sim.positions();
    double cx = 0, cy = 0, cz = 0;
    for (const auto& p : pos) { cx += p.x * p.w; cy += p.y * p.w; cz += p.z * p.w; }
    std::printf("bodies=%d steps=%d  %.3f ms/step  %.2f Ginter/s\n", opt.bodies, opt.steps,
                1e3 * sec / opt.steps, inter / sec * 1e-9);
    std::printf("centre of mass: %.6f %.6f %.6f\n", cx, cy, cz);
    return 0;
}
