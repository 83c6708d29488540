#include <cstdio>
#include <memory>
#include <vector>

#include "ring.h"
#include "sgd.cuh"

namespace {

constexpr int kBatch = 1 << 14;
constexpr int kSteps = 14;
constexpr unsigned long long kForwardNs = 25000000ull;

struct PinnedFree {
    void operator()(uint32_t* p) const { cudaFreeHost(p); }
};
using Pinned = std::unique_ptr<uint32_t[], PinnedFree>;

Pinned load_dataset() {
    uint32_t* p = nullptr;
    TRY(cudaMallocHost(&p, sizeof(uint32_t) * kBatch * kSteps));
    for (int i = 0; i < kBatch * kSteps; ++i) p[i] = (i + 1) * 2246822519u;
    return Pinned(p);
}

struct Model {
    uint32_t *w = nullptr, *m = nullptr;
    cudaStream_t stream{};

    Model() {
        TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        TRY(cudaMalloc(&w, kBatch * sizeof(uint32_t)));
        TRY(cudaMalloc(&m, kBatch * sizeof(uint32_t)));
        TRY(cudaMemsetAsync(w, 0, kBatch * sizeof(uint32_t), stream));
        TRY(cudaMemsetAsync(m, 0, kBatch * sizeof(uint32_t), stream));
        sgd_step<MomentumRule><<<16, 256, 0, stream>>>(w, m, w, 0, 0ull);
        TRY(cudaStreamSynchronize(stream));
    }
    ~Model() {
        cudaFree(w);
        cudaFree(m);
        cudaStreamDestroy(stream);
    }
};

void train(Model& model, BatchRing<uint32_t, 2>& ring, const uint32_t* dataset) {
    for (int step = 0; step < kSteps; ++step) {
        ring.push(step, dataset + static_cast<size_t>(step) * kBatch);
        const uint32_t* x = ring.view(step, model.stream).data();
        sgd_step<MomentumRule><<<16, 256, 0, model.stream>>>(model.w, model.m, x, kBatch, kForwardNs);
        TRY(cudaGetLastError());
    }
    TRY(cudaStreamSynchronize(model.stream));
}

}  // namespace

int main() {
    Pinned dataset = load_dataset();
    std::vector<uint32_t> got(kBatch);
    {
        Model model;
        BatchRing<uint32_t, 2> ring(kBatch);
        train(model, ring, dataset.get());
        TRY(cudaMemcpy(got.data(), model.w, kBatch * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    }
    int wrong = 0;
    for (int i = 0; i < kBatch; ++i) {
        uint32_t w = 0, m = 0;
        for (int step = 0; step < kSteps; ++step) MomentumRule::apply(w, m, dataset[static_cast<size_t>(step) * kBatch + i]);
        wrong += w != got[i];
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
