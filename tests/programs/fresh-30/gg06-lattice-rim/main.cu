#include <cstdio>
#include <exception>
#include <vector>

#include "field.h"
#include "lane.h"
#include "probe.h"
#include "stencil.cuh"

using namespace lattice;

namespace {

constexpr int kSteps = 90;
constexpr int kProbeEvery = 4;
constexpr int kThreads = 256;

// The bulk of the ring is [kRim, kCells - kRim); the rim is the rest, across
// the seam, and goes through a slower update.
struct Part {
    int first;
    int count;
    long long ns;
};

constexpr Part kBulk{kRim, kCells - 2 * kRim, 150000};
constexpr Part kSeam{kCells - kRim, 2 * kRim, 350000};

class Simulation {
public:
    Simulation() : field_(kCells), probe_(kCells) {}

    void load(const std::vector<int>& start) {
        LATTICE_CALL(cudaMemcpyAsync(field_.now().cells(), start.data(), start.size() * sizeof(int),
                                     cudaMemcpyHostToDevice, bulk_.stream()));
        bulk_.publish();
    }

    std::vector<Reading> run() {
        for (int step = 0; step < kSteps; ++step) {
            if (step % kProbeEvery == 0) probe_.expose(field_.now(), step, {&bulk_, &rim_});
            meet();
            field_.next().reclaim({&bulk_, &rim_});
            update(bulk_, kBulk);
            update(rim_, kSeam);
            bulk_.publish();
            rim_.publish();
            field_.turn();
        }
        probe_.expose(field_.now(), kSteps, {&bulk_, &rim_});
        return probe_.finish();
    }

private:
    void meet() {
        bulk_.after(rim_);
        rim_.after(bulk_);
    }

    void update(Lane& lane, const Part& part) {
        const unsigned blocks = static_cast<unsigned>((part.count + kThreads - 1) / kThreads);
        advance_range<<<blocks, kThreads, 0, lane.stream()>>>(field_.now().cells(), field_.next().cells(), part.first,
                                                              part.count, part.ns);
        LATTICE_CALL(cudaGetLastError());
    }

    Field field_;
    Probe probe_;
    Lane bulk_;
    Lane rim_;
};

std::vector<int> initial() {
    std::vector<int> v(kCells);
    unsigned x = 88172645u;
    for (int& c : v) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        c = static_cast<int>(x & 0xfffff);
    }
    return v;
}

std::vector<Reading> reference() {
    std::vector<Reading> out;
    std::vector<int> now = initial(), next(kCells);
    for (int step = 0; step <= kSteps; ++step) {
        if (step % kProbeEvery == 0 || step == kSteps) out.push_back({step, digest_of(now.data(), now.size())});
        for (int i = 0; i < kCells; ++i) {
            const int l = (i - 1) & (kCells - 1), r = (i + 1) & (kCells - 1);
            next[static_cast<size_t>(i)] = advance(now[static_cast<size_t>(l)], now[static_cast<size_t>(i)],
                                                   now[static_cast<size_t>(r)], i);
        }
        now.swap(next);
    }
    return out;
}

}  // namespace

int main() {
    try {
        std::vector<Reading> got;
        {
            Simulation sim;
            sim.load(initial());
            got = sim.run();
        }
        const std::vector<Reading> want = reference();
        long bad = got.size() != want.size();
        for (size_t i = 0; i < got.size() && i < want.size(); ++i) {
            bad += got[i].step != want[i].step || got[i].digest != want[i].digest;
        }
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
