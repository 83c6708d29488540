#include "scorer.cuh"

#include <thread>
#include <vector>

namespace {

constexpr int kTiles = 20;
constexpr std::size_t kWords = 1 << 16;
constexpr std::size_t kSlots = 4;

constexpr std::uint32_t pixel(int number, std::size_t i) {
    return static_cast<std::uint32_t>(number * 17 + 3) * static_cast<std::uint32_t>(i % 101 + 1);
}

void stage(slide::TilePool& pool, slide::Channel<slide::TileRef>& out) {
    for (int f = 0; f < kTiles; ++f) {
        slide::TileRef tile(pool.take());
        tile->number = f;
        for (std::size_t i = 0; i < kWords; ++i) tile->pixels[i] = pixel(f, i);
        out.push(std::move(tile));
    }
    out.close();
}

}  // namespace

int main() {
    slide::ensure(cudaSetDevice(0));
    slide::TilePool pool(kSlots, kWords);
    slide::Channel<slide::TileRef> channel;
    slide::Scorer scorer(kTiles, kWords);

    std::thread producer(stage, std::ref(pool), std::ref(channel));
    std::thread consumer([&] {
        while (auto item = channel.pop()) scorer.submit(std::move(*item));
    });
    producer.join();
    consumer.join();

    std::vector<std::uint32_t> sums(kTiles);
    scorer.drain(sums.data());

    int wrong = 0;
    for (int f = 0; f < kTiles; ++f) {
        std::uint32_t expect = 0;
        for (std::size_t i = 0; i < kWords; ++i) expect += pixel(f, i);
        wrong += sums[f] != expect;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
