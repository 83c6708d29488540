#include "bench.hpp"
#include "walsh.cuh"

#include <algorithm>
#include <chrono>

namespace {

struct Field {
    std::uint32_t* data = nullptr;
    int rows = 0;
    std::vector<std::uint32_t> initial;
};

Field make_field(int rows, std::uint32_t salt) {
    Field f;
    f.rows = rows;
    f.initial.resize(static_cast<std::size_t>(rows) * walsh::kLength);
    for (std::size_t i = 0; i < f.initial.size(); ++i)
        f.initial[i] = static_cast<std::uint32_t>((i * 2654435761u + salt) >> 22);
    const std::size_t bytes = f.initial.size() * sizeof(std::uint32_t);
    BENCH_TRY(cudaMalloc(&f.data, bytes));
    BENCH_TRY(cudaMemcpy(f.data, f.initial.data(), bytes, cudaMemcpyHostToDevice));
    return f;
}

// Each forward/backward pair multiplies by the transform length.
long mismatches(const Field& f, int pairs) {
    std::vector<std::uint32_t> got(f.initial.size());
    BENCH_TRY(cudaMemcpy(got.data(), f.data, got.size() * sizeof(std::uint32_t),
                         cudaMemcpyDeviceToHost));
    std::uint32_t scale = 1;
    for (int i = 0; i < pairs; ++i) scale *= walsh::kLength;
    long n = 0;
    for (std::size_t i = 0; i < got.size(); ++i) n += got[i] != f.initial[i] * scale;
    return n;
}

std::function<void(cudaStream_t)> pass(const Field& f, unsigned dwell_ms) {
    return [data = f.data, rows = f.rows, dwell_ms](cudaStream_t s) {
        walsh::transform_rows<256><<<rows, 256, 0, s>>>(data, dwell_ms);
        BENCH_TRY(cudaGetLastError());
    };
}

}  // namespace

int main() {
    constexpr int kWarmup = 2, kReps = 2;
    Field density = make_field(16, 7u);
    Field velocity = make_field(48, 91u);
    BENCH_TRY(cudaDeviceSynchronize());

    bench::Case spectral("density+velocity");
    spectral.lane(pass(density, 15)).lane(pass(velocity, 60));

    const bench::Report r = spectral.measure(kWarmup, kReps);
    const long wrong =
        mismatches(density, (kWarmup + kReps) / 2) + mismatches(velocity, (kWarmup + kReps) / 2);

    // Wall-clock cross-check of the same passes, run on plain streams.
    cudaStream_t a, b;
    BENCH_TRY(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    BENCH_TRY(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    const auto on_density = pass(density, 15);
    const auto on_velocity = pass(velocity, 60);
    double wall = 0.0;
    for (int i = 0; i < kReps; ++i) {
        BENCH_TRY(cudaDeviceSynchronize());
        const auto t0 = std::chrono::steady_clock::now();
        on_density(a);
        on_velocity(b);
        BENCH_TRY(cudaStreamSynchronize(a));
        BENCH_TRY(cudaStreamSynchronize(b));
        wall += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0)
                    .count();
    }
    std::printf("%s: %.2f ms per repetition\n", r.name.c_str(), r.total_ms / r.repetitions);

    BENCH_TRY(cudaStreamDestroy(a));
    BENCH_TRY(cudaStreamDestroy(b));
    cudaFree(density.data);
    cudaFree(velocity.data);

    const double ratio = std::max(wall / r.total_ms, r.total_ms / wall);
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0;
}
