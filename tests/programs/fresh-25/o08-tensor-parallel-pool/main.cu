#include "shard.hpp"

#include <chrono>
#include <cstdio>
#include <memory>

namespace {

using tp::ok;

struct Session {
    cudaStream_t stream = nullptr;
    cudaEvent_t ready = nullptr;
    std::int32_t* activations = nullptr;
    std::int32_t* partials = nullptr;
};

double forward_ms(const tp::Config& cfg, Session& s,
                  const std::vector<std::unique_ptr<tp::Shard>>& shards, std::size_t active,
                  const std::vector<std::int32_t>& input) {
    ok(cudaMemcpy(s.activations, input.data(), input.size() * sizeof(std::int32_t),
                  cudaMemcpyHostToDevice));
    ok(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (int layer = 0; layer < cfg.layers; ++layer) {
        ok(cudaEventRecord(s.ready, s.stream));
        for (std::size_t k = 0; k < active; ++k) {
            shards[k]->forward(layer, s.activations, s.partials + k * cfg.hidden, s.ready);
            ok(cudaStreamWaitEvent(s.stream, shards[k]->done(), 0));
        }
        tp::all_reduce(s.activations, s.partials, cfg.hidden, cfg.shards, s.stream);
    }
    ok(cudaStreamSynchronize(s.stream));
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

std::vector<std::int32_t> reference(const tp::Config& cfg, const std::vector<std::int8_t>& w,
                                    std::vector<std::int32_t> x) {
    const int h = cfg.hidden;
    for (int layer = 0; layer < cfg.layers; ++layer) {
        std::vector<std::int32_t> y(h);
        for (int r = 0; r < h; ++r) {
            std::int32_t acc = 0;
            for (int c = 0; c < h; ++c) acc += w[(static_cast<std::size_t>(layer) * h + r) * h + c] * x[c];
            y[r] = tp::requantise(acc);
        }
        x.swap(y);
    }
    return x;
}

}  // namespace

int main() {
    tp::Config cfg;
    const std::size_t h = cfg.hidden;

    cudaMemPool_t pool;
    ok(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t keep = UINT64_MAX;
    ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    int off = 0;
    ok(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off));

    std::vector<std::int8_t> weights(h * h * cfg.layers);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<std::int8_t>((i * 2654435761ull >> 11) % 255);
    std::vector<std::int32_t> input(h);
    for (std::size_t i = 0; i < h; ++i) input[i] = static_cast<std::int32_t>(i * 37 % 127) - 63;

    Session s;
    ok(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
    ok(cudaEventCreateWithFlags(&s.ready, cudaEventDisableTiming));
    ok(cudaMalloc(&s.activations, h * sizeof(std::int32_t)));
    ok(cudaMalloc(&s.partials, h * cfg.shards * sizeof(std::int32_t)));
    ok(cudaMemset(s.partials, 0, h * cfg.shards * sizeof(std::int32_t)));

    std::vector<std::int32_t> got(h);
    double one = 0.0, all = 0.0;
    {
        std::vector<std::unique_ptr<tp::Shard>> shards;
        for (int k = 0; k < cfg.shards; ++k)
            shards.push_back(std::make_unique<tp::Shard>(cfg, k, weights));
        forward_ms(cfg, s, shards, shards.size(), input);
        one = forward_ms(cfg, s, shards, 1, input);
        all = forward_ms(cfg, s, shards, shards.size(), input);
        ok(cudaMemcpy(got.data(), s.activations, h * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
    }
    std::printf("one shard %.1f ms, %d shards %.1f ms\n", one, cfg.shards, all);

    const auto want = reference(cfg, weights, input);
    long wrong = 0;
    for (std::size_t i = 0; i < h; ++i) wrong += got[i] != want[i];

    cudaFree(s.activations);
    cudaFree(s.partials);
    cudaEventDestroy(s.ready);
    cudaStreamDestroy(s.stream);

    if (wrong) std::printf("WRONG %ld\n", wrong);
    else if (all > 1.5 * one) std::printf("SLOW %.2f\n", all / one);
    else std::printf("DONE\n");
    return wrong != 0;
}
