#include "plugin.hpp"

#include <cmath>

using namespace insitu;

namespace {

struct RunConfig {
    int n = 1 << 16;
    int analyses = 3;
    int probe = 1234;
    std::vector<std::string> plugins{"histogram"};
};

__global__ void init_field(float* f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i] = static_cast<float>((i * 37) % 2000) / 1000.0f - 1.0f;
}

std::vector<float> host_field(int n) {
    std::vector<float> v(n);
    for (int i = 0; i < n; ++i) v[i] = static_cast<float>((i * 37) % 2000) / 1000.0f - 1.0f;
    return v;
}

}  // namespace

int main() {
    RunConfig cfg;
    float* field = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&field), cfg.n * sizeof(float)));
    init_field<<<(cfg.n + 255) / 256, 256>>>(field, cfg.n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    std::vector<std::unique_ptr<Plugin>> plugins;
    for (const auto& key : cfg.plugins) {
        auto p = Registry::instance().make(key);
        if (p) plugins.push_back(std::move(p));
    }

    FieldView view{field, cfg.n};
    std::vector<Report> reports;
    int samples = 0;
    {
        Sampler sampler(4096);
        sampler.start(view, cfg.probe);
        for (int a = 0; a < cfg.analyses; ++a)
            for (auto& p : plugins) reports.push_back(p->execute(view));
        samples = sampler.finish();
    }

    long wrong = 0;
    const auto ref = host_field(cfg.n);
    long inner = 0;
    for (float v : ref)
        if (v < -0.5f) ++inner;
    for (const auto& r : reports) {
        long total = 0, low = 0;
        for (std::size_t b = 0; b < r.counts.size(); ++b) {
            total += r.counts[b];
            if (b < r.counts.size() / 4) low += r.counts[b];
        }
        if (total != cfg.n) ++wrong;
        if (std::labs(low - inner) > cfg.n / 500) ++wrong;
        std::printf("%s: %ld values, %ld in the lower quarter\n", r.plugin.c_str(), total, low);
    }
    if (reports.size() != plugins.size() * static_cast<std::size_t>(cfg.analyses) || samples < 1) ++wrong;
    plugins.clear();
    check(cudaFree(field));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
