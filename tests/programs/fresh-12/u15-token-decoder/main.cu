#include <cstdio>
#include <future>

#include "decoder.h"

namespace {

constexpr int kShards = 24;
constexpr int kBatch = 16;
constexpr int kTokens = 64;

std::uint32_t weight(int shard, int i) { return 2654435761u * unsigned(shard + 1) + unsigned(i) * 7u; }

std::vector<lm::DeviceArray<std::uint32_t>> loadShards()
{
    cudaStream_t s = nullptr;
    lm::expect(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    std::vector<lm::DeviceArray<std::uint32_t>> shards;
    std::vector<std::uint32_t> host(lm::kWidth);
    for (int k = 0; k < kShards; ++k) {
        for (int i = 0; i < lm::kWidth; ++i) host[i] = weight(k, i);
        shards.push_back(lm::deviceArray<std::uint32_t>(host.size()));
        lm::expect(cudaMemcpyAsync(shards.back().get(), host.data(), host.size() * sizeof(std::uint32_t),
                                   cudaMemcpyHostToDevice, s));
        lm::expect(cudaStreamSynchronize(s));
    }
    lm::expect(cudaStreamDestroy(s));
    return shards;
}

long compare(const std::vector<std::uint32_t>& got)
{
    std::uint32_t h = 0x01010101u;
    for (std::uint32_t t = 0; t < kTokens; ++t) h = lm::attention(h, t) ^ lm::gating(h, 0x9e3779b9u);
    long wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        std::uint32_t want = h;
        for (int k = 0; k < kShards; ++k) want += weight(k, int(i % lm::kWidth));
        wrong += got[i] != want;
    }
    return wrong;
}

}  // namespace

int main()
try {
    lm::Decoder decoder(kBatch);
    decoder.warmUp(1);

    auto shards = std::async(std::launch::async, loadShards);
    decoder.record(kBatch);
    decoder.decode(kTokens);
    const auto got = decoder.project(shards.get());

    if (const long wrong = compare(got))
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
} catch (const lm::RuntimeError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
}
