#include <cstdio>
#include <memory>

#include "chainer.cuh"

using namespace seedlib;

namespace {

struct StreamCloser {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using StreamPtr = std::unique_ptr<CUstream_st, StreamCloser>;

StreamPtr open_stream() {
    cudaStream_t s = nullptr;
    SEED_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamPtr(s);
}

}  // namespace

int main() {
    constexpr std::uint32_t kBases = 1u << 16;
    constexpr std::uint32_t kChunks = 4;

    UpstreamResource upstream;
    BinnedResource pool(upstream);
    Chainer chainer(pool);

    std::vector<StreamPtr> lanes;
    for (std::uint32_t c = 0; c < kChunks; ++c) lanes.push_back(open_stream());

    std::uint32_t* scores = static_cast<std::uint32_t*>(
        upstream.allocate(kChunks * kBases * sizeof(std::uint32_t), nullptr));
    chainer.warm(kBases, scores, lanes[0].get());

    for (std::uint32_t c = 0; c < kChunks; ++c)
        chainer.score(Chunk{c * kBases + 17, kBases}, scores + c * kBases, lanes[c].get());
    for (auto& lane : lanes) SEED_TRY(cudaStreamSynchronize(lane.get()));

    std::vector<std::uint32_t> got(kChunks * kBases);
    SEED_TRY(cudaMemcpy(got.data(), scores, got.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    upstream.deallocate(scores, 0, nullptr);

    std::size_t wrong = 0;
    for (std::uint32_t c = 0; c < kChunks; ++c)
        for (std::uint32_t i = 0; i < kBases; ++i) {
            const std::uint32_t at = c * kBases + 17;
            const std::uint32_t want = chain_score(minimiser(at + i), minimiser(at + (i + 1) % kBases));
            if (got[c * kBases + i] != want) ++wrong;
        }
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
