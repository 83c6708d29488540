// Film scanner: a preview of the strip first, then every full-size frame through the same pipeline.
#include <algorithm>
#include <cstdio>

#include "pipeline.h"

using pipe::check;
using pipe::Extent;

static std::vector<float> reference(Extent e, const std::vector<float>& in) {
    std::vector<float> out(e.pixels());
    float top = 0.f;
    for (int y = 0; y < e.height; ++y)
        for (int x = 0; x < e.width; ++x) {
            const int l = std::max(x - 1, 0), r = std::min(x + 1, e.width - 1);
            const float* row = in.data() + std::size_t(y) * e.width;
            const float v = row[l] + row[x] + row[r];
            out[std::size_t(y) * e.width + x] = v;
            top = std::max(top, v);
        }
    for (float& v : out) v = top - v;
    return out;
}

static int run() {
    const Extent preview{64, 48}, full{640, 480};
    float *in = nullptr, *tmp = nullptr, *out = nullptr;
    for (float** p : {&in, &tmp, &out})
        check(cudaMalloc(reinterpret_cast<void**>(p), full.pixels() * sizeof(float)));

    int wrong = 0;
    auto load = [&](Extent e, int seed) {
        std::vector<float> host(e.pixels());
        for (std::size_t i = 0; i < host.size(); ++i) host[i] = float((i * 31 + seed * 17) % 255);
        check(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
        check(cudaDeviceSynchronize());
        return host;
    };
    auto verify = [&](Extent e, const std::vector<float>& host) {
        std::vector<float> got(e.pixels());
        check(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
        if (got != reference(e, host)) ++wrong;
    };

    pipe::Pipeline pipeline;
    pipeline.add("box").add("negative");

    const auto strip = load(preview, 0);
    pipeline.run(preview, in, tmp, out);
    pipeline.finish();
    verify(preview, strip);

    pipeline.compile(full, in, tmp, out);
    for (int frame = 1; frame <= 4; ++frame) {
        const auto host = load(full, frame);
        pipeline.replay();
        pipeline.finish();
        verify(full, host);
    }
    for (float* p : {in, tmp, out}) check(cudaFree(p));
    return wrong;
}

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const pipe::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
