#include <cstdio>

#include "book.cuh"

namespace {

constexpr std::size_t kLevels = 1 << 18;
constexpr int kUpdates = 6;

std::vector<Tick> make_update(int round) {
    std::vector<Tick> d(kLevels);
    for (std::size_t i = 0; i < kLevels; ++i) d[i] = Tick((i % 97) * (round + 1) + round * round);
    return d;
}

}  // namespace

int main() {
    Session session;
    StagingRing ring(session, 2, kLevels * sizeof(Tick));
    Uploader uploader(ring);
    DeviceBook book(session, uploader, kLevels);

    std::vector<Tick> expected(kLevels);
    for (std::size_t i = 0; i < kLevels; ++i) expected[i] = Tick(10000 + i % 501);
    std::vector<std::vector<Tick>> feed;
    for (int r = 0; r < kUpdates; ++r) feed.push_back(make_update(r));

    book.load(expected);
    book.reprice(100000);
    for (const auto& update : feed) book.apply(update);
    const std::vector<Tick> got = book.read();

    int wrong = 0;
    for (std::size_t i = 0; i < kLevels; ++i) {
        for (const auto& update : feed) expected[i] += update[i];
        if (got[i] != expected[i]) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
