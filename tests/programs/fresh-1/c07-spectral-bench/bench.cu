#include <algorithm>
#include <cstdio>
#include <vector>

#include "plan.h"

namespace {

struct BenchConfig {
    int length = 2048;
    int batch = 64;
    int warmup = 5;
    int iterations = 12;
};

struct Report {
    double ms_per_call = 0;
    double signals_per_s = 0;
};

class SteadyBench {
public:
    SteadyBench(SpectralFilter& f, const BenchConfig& cfg, const float* in, float* out)
        : filter_(f), cfg_(cfg), in_(in), out_(out) {
        fail_if(cudaEventCreate(&begin_));
        fail_if(cudaEventCreate(&end_));
    }
    ~SteadyBench() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }

    SteadyBench& warm(int batch) {
        for (int i = 0; i < cfg_.warmup; ++i) filter_.run(in_, out_, batch);
        fail_if(cudaStreamSynchronize(filter_.stream()));
        return *this;
    }

    // Steady-state cost per call at the configured batch size.
    Report measure() {
        fail_if(cudaEventRecord(begin_, filter_.stream()));
        for (int i = 0; i < cfg_.iterations; ++i) filter_.run(in_, out_, cfg_.batch);
        fail_if(cudaEventRecord(end_, filter_.stream()));
        fail_if(cudaEventSynchronize(end_));
        float ms = 0;
        fail_if(cudaEventElapsedTime(&ms, begin_, end_));
        Report r;
        r.ms_per_call = ms / cfg_.iterations;
        r.signals_per_s = cfg_.batch / (r.ms_per_call * 1e-3);
        return r;
    }

private:
    SpectralFilter& filter_;
    BenchConfig cfg_;
    const float* in_;
    float* out_;
    cudaEvent_t begin_{}, end_{};
};

}  // namespace

int main() {
    BenchConfig cfg;
    const size_t n = static_cast<size_t>(cfg.length) * cfg.batch;
    std::vector<float> host(n), got(n);
    for (size_t i = 0; i < n; ++i) host[i] = static_cast<float>(i % 11);

    float *in = nullptr, *out = nullptr;
    fail_if(cudaMalloc(&in, n * sizeof(float)));
    fail_if(cudaMalloc(&out, n * sizeof(float)));
    fail_if(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    fail_if(cudaDeviceSynchronize());

    int wrong = 0;
    double ratio = 1;
    {
        SpectralFilter filter(cfg.length);
        SteadyBench bench(filter, cfg, in, out);
        const Report claimed = bench.warm(1).measure();
        std::printf("steady state: %.3f ms per call, %.0f signals/s\n", claimed.ms_per_call, claimed.signals_per_s);

        const Report again = bench.measure();
        ratio = std::max(claimed.ms_per_call / again.ms_per_call, again.ms_per_call / claimed.ms_per_call);

        fail_if(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n; ++i) wrong += got[i] != host[i] * (1.f + (i % cfg.length) % 7) + 1.f;
    }
    fail_if(cudaFree(in));
    fail_if(cudaFree(out));

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
