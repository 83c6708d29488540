#include "feature_engine.h"
#include "gpu_timer.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

struct Report {
    int batches = 0;
    double device_ms = 0;
    double wall_ms = 0;
    long wrong = 0;
};

Report measure(int batches)
{
    const vis::EngineOptions options;
    cudaStream_t stream;
    vis::guard(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    Report report;
    report.batches = batches;
    {
        vis::FeatureEngine engine(options);
        std::vector<int> patches(options.patches);
        for (int i = 0; i < options.patches; ++i) patches[i] = (i * 19) % 4093;
        engine.load(patches);

        vis::GpuTimer timer(stream);
        engine.extract(stream);
        engine.finish();

        const auto wall = std::chrono::steady_clock::now();
        timer.start();
        for (int b = 0; b < batches; ++b) engine.extract(stream);
        timer.stop();
        report.device_ms = timer.milliseconds();
        engine.finish();
        report.wall_ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall).count();

        const auto found = engine.descriptors();
        for (int i = 0; i < options.patches; ++i)
            if (found[i] != (patches[i] * 2 + 1) * (batches + 1)) ++report.wrong;
    }
    vis::guard(cudaStreamDestroy(stream));
    return report;
}

}  // namespace

int main()
{
    try {
        const Report r = measure(20);
        const double ratio = r.wall_ms / std::max(r.device_ms, 1e-3);
        std::printf("%d batches, %.3f ms per batch\n", r.batches, r.device_ms / r.batches);
        if (r.wrong)
            std::printf("WRONG %ld\n", r.wrong);
        else if (ratio > 1.5 || ratio < 1 / 1.5)
            std::printf("SLOW %.2f\n", ratio);
        else
            std::printf("DONE\n");
    } catch (const vis::GpuFault& e) {
        std::printf("ERROR %s\n", e.what());
    }
    return 0;
}
