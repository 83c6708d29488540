// Archiver: compresses the blocks of a volume in four lanes.
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <vector>
#include "lane.cuh"

namespace {

constexpr int kLanes = 4, kBlocks = 16;

using Sink = std::function<void(const codec::Encoded&)>;

class Archiver {
public:
    explicit Archiver(Sink sink) : sink_(std::move(sink)) {}

    void put(uint32_t id, const uint8_t* block)
    {
        codec::Lane& lane = lanes_[next_++ % kLanes];
        if (lane.pending()) sink_(lane.take());
        lane.submit(id, block);
    }
    void flush()
    {
        for (int i = 0; i < kLanes; ++i) {
            codec::Lane& lane = lanes_[(next_ + i) % kLanes];
            if (lane.pending()) sink_(lane.take());
        }
    }

private:
    codec::Lane lanes_[kLanes];
    unsigned next_ = 0;
    Sink sink_;
};

template <class F>
double timed(F&& work)
{
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

std::size_t differences(const std::vector<uint8_t>& block, const std::vector<uint8_t>& code)
{
    std::size_t wrong = 0;
    uint8_t value = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const uint8_t z = code[i];
        value = static_cast<uint8_t>(value + ((z >> 1) ^ -(z & 1)));
        wrong += value != block[i];
    }
    return wrong;
}

}  // namespace

int main()
{
    std::vector<std::vector<uint8_t>> volume(kBlocks, std::vector<uint8_t>(codec::kBlock));
    for (int b = 0; b < kBlocks; ++b)
        for (int i = 0; i < codec::kBlock; ++i) volume[b][i] = static_cast<uint8_t>((i >> (b % 5)) * (b + 1));

    std::vector<std::vector<uint8_t>> filed(kBlocks, std::vector<uint8_t>(codec::kBlock));
    std::vector<uint32_t> nonzero(kBlocks, 0);
    Archiver archiver([&](const codec::Encoded& e) {
        std::copy(e.bytes, e.bytes + codec::kBlock, filed[e.id].begin());
        nonzero[e.id] = e.nonzero;
    });

    for (int l = 0; l < kLanes; ++l) archiver.put(l, volume[l].data());
    archiver.flush();

    const double single = timed([&] {
        archiver.put(0, volume[0].data());
        archiver.flush();
    });
    const double batch = timed([&] {
        for (int b = 0; b < kBlocks; ++b) archiver.put(b, volume[b].data());
        archiver.flush();
    });

    std::size_t wrong = 0;
    for (int b = 0; b < kBlocks; ++b) {
        wrong += differences(volume[b], filed[b]);
        uint32_t expected = volume[b][0] != 0;
        for (int i = 1; i < codec::kBlock; ++i) expected += volume[b][i] != volume[b][i - 1];
        wrong += nonzero[b] != expected;
    }
    const double ratio = batch / (single * kBlocks / kLanes);
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
