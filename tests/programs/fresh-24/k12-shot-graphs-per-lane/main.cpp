#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>
#include "node.h"
using namespace mig;
namespace {
using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

long misses(const Shot& shot, const std::vector<unsigned>& image) {
    long wrong = (int)image.size() != shot.shape.cells;
    for (size_t i = 0; i < image.size(); ++i) {
        unsigned u = wavelet(shot.id, (int)i);
        for (int s = 0; s < shot.shape.steps; ++s) u = propagated(u, s);
        wrong += image[i] != u >> 3;
    }
    return wrong;
}

class Node {
public:
    explicit Node(int lanes) : cache_(8) {
        for (int l = 0; l < lanes; ++l) lanes_.push_back(std::make_unique<Lane>(l, cache_, 1 << 14));
    }

    // Runs a gather of shots, one per lane; the time is of the whole gather.
    double gather(const std::vector<Shot>& shots, long& wrong) {
        const auto begin = Clock::now();
        for (size_t i = 0; i < shots.size(); ++i) lanes_[i]->submit(shots[i]);
        for (size_t i = 0; i < shots.size(); ++i) lanes_[i]->wait();
        const double ms = msSince(begin);
        for (size_t i = 0; i < shots.size(); ++i) wrong += misses(shots[i], lanes_[i]->image());
        return ms;
    }
private:
    GraphCache cache_;
    std::vector<std::unique_ptr<Lane>> lanes_;
};
}  // namespace

int main() {
    const ShotShape marine{8192, 5};
    Node node(4);
    long wrong = 0;

    std::vector<Shot> gather;
    for (int i = 0; i < 4; ++i) gather.push_back(Shot{i, marine});
    node.gather(gather, wrong);

    const double one = node.gather({Shot{40, marine}}, wrong);
    double four = 0;
    for (int round = 1; round <= 3; ++round) {
        for (Shot& s : gather) s.id += 4;
        four += node.gather(gather, wrong) / 3;
    }
    const double ratio = four / one;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
