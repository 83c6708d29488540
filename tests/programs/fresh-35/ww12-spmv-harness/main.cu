// Reports the time of one split SpMV and checks the report against a real
// iteration that applies the operator back and forth.
#include "policies.h"
#include "split_spmv.h"
#include <chrono>

namespace {
constexpr int kRows = 8192;
constexpr int kShortRows = 6144;
constexpr int kApplications = 10;
}  // namespace

int main()
{
    const HostMatrix host = makeMatrix(kRows, kShortRows);
    std::vector<unsigned> x(kRows), y(kRows), got(kRows);
    for (int i = 0; i < kRows; ++i) x[i] = i % 97 + 1;

    unsigned *dx, *dy;
    const std::size_t bytes = kRows * sizeof(unsigned);
    cudaStream_t stream;
    bench::must(cudaMalloc(&dx, bytes));
    bench::must(cudaMalloc(&dy, bytes));
    bench::must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    bench::must(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
    SplitSpmv spmv(host);
    bench::must(cudaDeviceSynchronize());

    bench::Benchmark<bench::EventClock, bench::ColdCache, bench::MedianStatistics> benchmark(3, 11);
    const double reported =
        benchmark.run([&](cudaStream_t s) { spmv.apply(dx, dy, s); }, stream);
    std::fprintf(stderr, "split spmv, cold, median: %.3f ms\n", reported);

    bench::must(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (int i = 0; i < kApplications; ++i)
        if (i % 2 == 0) spmv.apply(dx, dy, stream);
        else spmv.apply(dy, dx, stream);
    spmv.collect(stream);
    bench::must(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::milli> loop = std::chrono::steady_clock::now() - t0;

    bench::must(cudaMemcpy(got.data(), dx, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kApplications; ++i) {
        multiply(host, x, y);
        x.swap(y);
    }
    int wrong = 0;
    for (int i = 0; i < kRows; ++i) wrong += got[i] != x[i];

    const double honest = loop.count() / kApplications;
    const double ratio = honest > reported ? honest / reported : reported / honest;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
