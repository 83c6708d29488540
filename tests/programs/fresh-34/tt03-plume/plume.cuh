// plume.cuh - wind solver and tracer advection
#pragma once

#include "stage.cuh"

namespace plume {

constexpr int kCells = 1 << 16;
constexpr unsigned long long kSolveNs = 50'000'000ull;

__host__ __device__ inline float wind_at(int cell, int step)
{
    return static_cast<float>((cell * 3 + step * 11) % 61 + 1);
}

__global__ void relax_wind(float *wind, int n, int step, unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        wind[i] = wind_at(i, step);
}

__global__ void advect(const float *wind, float *tracer, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tracer[i] += 0.5f * wind[i];
}

template <class StreamPolicy = Independent, class Handoff = ByEvent>
class WindSolver : public Stage<WindSolver<StreamPolicy, Handoff>, StreamPolicy, Handoff> {
public:
    WindSolver() : wind_(kCells) {}

    void reset(int) { check(cudaMemsetAsync(wind_.data(), 0, wind_.bytes(), this->stream())); }

    void body(int step)
    {
        relax_wind<<<kCells / 256, 256, 0, this->stream()>>>(wind_.data(), kCells, step, kSolveNs);
    }

    const float *wind() const { return wind_.data(); }

private:
    Field<float> wind_;
};

template <class Solver, class StreamPolicy = Independent, class Handoff = ByHost>
class Tracer : public Stage<Tracer<Solver, StreamPolicy, Handoff>, StreamPolicy, Handoff> {
public:
    explicit Tracer(const Solver &s) : solver_(s), tracer_(kCells) {}

    void reset(int) {}

    void body(int)
    {
        advect<<<kCells / 256, 256, 0, this->stream()>>>(solver_.wind(), tracer_.data(), kCells);
    }

    void collect(float *host) const
    {
        check(cudaMemcpy(host, tracer_.data(), tracer_.bytes(), cudaMemcpyDeviceToHost));
    }

private:
    const Solver &solver_;
    Field<float> tracer_;
};

} // namespace plume
