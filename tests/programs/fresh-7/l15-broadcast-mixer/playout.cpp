#include "mixer.hpp"

#include <chrono>
#include <cstdio>

namespace {

using Buffers = std::vector<bcast::SampleBuffer<int>>;

Buffers makeBuffers(const bcast::MixerSettings& s) {
    Buffers b;
    b.reserve(s.programmes);
    for (int p = 0; p < s.programmes; ++p) b.emplace_back(s.samples);
    return b;
}

int sampleAt(int round, int programme, std::size_t i) { return round * 100 + programme * 10 + static_cast<int>(i % 1000); }

class Playout {
public:
    explicit Playout(bcast::MixerSettings s) : s_(s), ingest_(makeBuffers(s)), egress_(makeBuffers(s)) {
        for (int p = 0; p < s_.programmes; ++p) {
            lanes_.push_back(std::make_unique<bcast::ProgrammeLane>(s_, ingest_[p], egress_[p]));
            lanes_.back()->prime();
        }
    }

    double play() {
        const auto begin = std::chrono::steady_clock::now();
        for (int round = 0; round < s_.rounds; ++round) {
            for (int p = 0; p < s_.programmes; ++p) {
                auto& lane = *lanes_[p];
                lane.settle();
                if (round > 0) check(round - 1, p);
                for (std::size_t i = 0; i < s_.samples; ++i) lane.in()[i] = sampleAt(round, p, i);
                lane.submit();
            }
        }
        for (int p = 0; p < s_.programmes; ++p) {
            lanes_[p]->settle();
            check(s_.rounds - 1, p);
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    int bad() const { return bad_; }

private:
    void check(int round, int p) {
        for (std::size_t i = 0; i < s_.samples; i += 61)
            bad_ += lanes_[p]->out()[i] != sampleAt(round, p, i) * 2 - static_cast<int>(i & 7);
    }

    bcast::MixerSettings s_;
    Buffers ingest_;
    Buffers egress_;
    std::vector<std::unique_ptr<bcast::ProgrammeLane>> lanes_;
    int bad_ = 0;
};

}  // namespace

int main() {
    const bcast::MixerSettings settings;
    bcast::LockedBudget::instance().configure(settings.lockedBytes);
    Playout playout(settings);
    const double seconds = playout.play();
    const double ratio = seconds / (settings.rounds * settings.filterMillis * 1e-3);

    if (playout.bad())
        std::printf("WRONG %d\n", playout.bad());
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
