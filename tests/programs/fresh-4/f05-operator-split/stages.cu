#include "stage.hpp"

namespace split {
namespace {

__device__ void sub_iterations(unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0) :: "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    } while (t - t0 < ns);
}

__global__ void advect(const double* __restrict__ u, double* __restrict__ v, int n, int shift) {
    sub_iterations(25000000ull);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 0.75 * u[(i + n - shift) % n] + 0.25 * u[i];
}

__global__ void react(const double* __restrict__ v, double* __restrict__ u, int n, double rate) {
    sub_iterations(6000000ull);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) u[i] = v[i] + rate * v[i] * (1.0 - v[i]);
}

constexpr int kBlock = 128;
int blocks(int n) { return (n + kBlock - 1) / kBlock; }

class Advection final : public Stage {
public:
    Advection(const double* u, double* v, int n) : Stage("advection"), u_(u), v_(v), n_(n) {}

protected:
    void launch(int step, cudaStream_t s) override {
        advect<<<blocks(n_), kBlock, 0, s>>>(u_, v_, n_, 1 + step % 3);
    }

private:
    const double* u_;
    double* v_;
    int n_;
};

class Reaction final : public Stage {
public:
    Reaction(const double* v, double* u, int n, double rate)
        : Stage("reaction"), v_(v), u_(u), n_(n), rate_(rate) {}

protected:
    void launch(int, cudaStream_t s) override { react<<<blocks(n_), kBlock, 0, s>>>(v_, u_, n_, rate_); }

private:
    const double* v_;
    double* u_;
    int n_;
    double rate_;
};

}  // namespace

std::unique_ptr<Stage> make_advection(const double* u, double* v, int n) {
    return std::make_unique<Advection>(u, v, n);
}
std::unique_ptr<Stage> make_reaction(const double* v, double* u, int n, double rate) {
    return std::make_unique<Reaction>(v, u, n, rate);
}

}  // namespace split
