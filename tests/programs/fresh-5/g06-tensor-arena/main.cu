// Two views of a stereo pair are contrast-enhanced side by side, each on its own stream.
#include <cstdio>
#include <vector>

#include "tensor.cuh"

using namespace tl;

namespace {

constexpr std::size_t kPixels = 96 * 1024;

Tensor upload(Arena& arena, int phase) {
    std::vector<float> host(kPixels);
    for (std::size_t i = 0; i < kPixels; ++i) host[i] = float((i + phase) % 97);
    Tensor t(arena.take(kPixels), kPixels);
    TL_CHECK(cudaMemcpy(t.data(), host.data(), kPixels * sizeof(float), cudaMemcpyHostToDevice));
    TL_CHECK(cudaDeviceSynchronize());
    return t;
}

int mismatches(const Tensor& t, int phase) {
    std::vector<float> host(kPixels);
    TL_CHECK(cudaMemcpy(host.data(), t.data(), kPixels * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (std::size_t i = 0; i < kPixels; ++i) {
        const float x = float((i + phase) % 97);
        const float y = 2.f * x + 1.f;
        if (host[i] != y * y - x) ++bad;
    }
    return bad;
}

int run() {
    auto arena = Arena::create();
    cudaStream_t s[2];
    for (auto& x : s) TL_CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    int bad = 0;
    {
        const Tensor left = upload(*arena, 0), right = upload(*arena, 41);

        // thumbnails: one pass after the other
        for (int k = 0; k < 2; ++k) {
            const Context quick{arena, s[k], 10};
            const Tensor preview = contrast(quick, k ? right : left);
            TL_CHECK(cudaStreamSynchronize(s[k]));
            bad += mismatches(preview, k ? 41 : 0);
        }

        const Context l{arena, s[0], 120000}, r{arena, s[1], 80000};
        const Tensor left_out = contrast(l, left);
        const Tensor right_out = contrast(r, right);
        TL_CHECK(cudaStreamSynchronize(s[0]));
        TL_CHECK(cudaStreamSynchronize(s[1]));
        bad += mismatches(left_out, 0);
        bad += mismatches(right_out, 41);
    }
    std::printf("arena hits: %zu\n", arena->hits());
    for (auto& x : s) TL_CHECK(cudaStreamDestroy(x));
    return bad;
}

}  // namespace

int main() {
    try {
        const int bad = run();
        if (bad)
            std::printf("WRONG %d\n", bad);
        else
            std::printf("DONE\n");
        return bad != 0;
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
