#include "analyser.cuh"

#include <thread>
#include <vector>

namespace {

constexpr int kFrames = 20;
constexpr std::size_t kWords = 1 << 16;
constexpr std::size_t kSlots = 4;

constexpr std::uint32_t pixel(int frame, std::size_t i) {
    return static_cast<std::uint32_t>(frame * 17 + 3) * static_cast<std::uint32_t>(i % 101 + 1);
}

void camera(ingest::SlotPool& pool, ingest::Channel<ingest::SlotRef>& out) {
    for (int f = 0; f < kFrames; ++f) {
        ingest::SlotRef slot(pool.take());
        slot->frame = f;
        for (std::size_t i = 0; i < kWords; ++i) slot->pixels[i] = pixel(f, i);
        out.push(std::move(slot));
    }
    out.close();
}

}  // namespace

int main() {
    ingest::ensure(cudaSetDevice(0));
    ingest::SlotPool pool(kSlots, kWords);
    ingest::Channel<ingest::SlotRef> channel;
    ingest::Analyser analyser(kFrames, kWords);

    std::thread producer(camera, std::ref(pool), std::ref(channel));
    std::thread consumer([&] {
        while (auto item = channel.pop()) analyser.submit(std::move(*item));
    });
    producer.join();
    consumer.join();

    std::vector<std::uint32_t> sums(kFrames);
    analyser.drain(sums.data());

    int wrong = 0;
    for (int f = 0; f < kFrames; ++f) {
        std::uint32_t expect = 0;
        for (std::size_t i = 0; i < kWords; ++i) expect += pixel(f, i);
        wrong += sums[f] != expect;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
