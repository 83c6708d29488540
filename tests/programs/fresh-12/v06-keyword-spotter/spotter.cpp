// Command line soak of the keyword spotter: a scripted dialogue against the
// reference scorer.
#include <cstdio>
#include <memory>
#include <vector>

#include "session.cuh"

namespace {

struct SpotterConfig {
    size_t history_bytes = 48u << 20;
    int threshold = 0;
    uint32_t seed = 17;
};

class Noise {
public:
    explicit Noise(uint32_t seed) : state_(seed) {}
    int32_t next() {
        state_ = state_ * 1664525u + 1013904223u;
        return static_cast<int32_t>(state_ >> 24) - 128;
    }

private:
    uint32_t state_;
};

std::vector<int32_t> make_templates(uint32_t seed) {
    Noise noise(seed);
    std::vector<int32_t> t(kws::kWords * kws::kFrame);
    for (auto& v : t) v = noise.next();
    return t;
}

class Spotter {
public:
    explicit Spotter(const SpotterConfig& config)
        : config_(config), templates_(make_templates(config.seed)),
          bank_(templates_.data(), config.history_bytes) {
        session_.open(bank_.device(), bank_.history(), config.history_bytes);
    }

    int hear(const std::vector<int32_t>& frame) {
        int score = 0;
        const int word = session_.ask(frame.data(), &score);
        ++heard_;
        return score >= config_.threshold ? word : -1;
    }

    int reference(const std::vector<int32_t>& frame) const {
        int best = 0, best_score = 0;
        for (int w = 0; w < kws::kWords; ++w) {
            int s = 0;
            for (int i = 0; i < kws::kFrame; ++i) s += frame[i] * templates_[w * kws::kFrame + i];
            if (w == 0 || s > best_score) {
                best = w;
                best_score = s;
            }
        }
        return best_score >= config_.threshold ? best : -1;
    }
    int heard() const { return heard_; }

private:
    SpotterConfig config_;
    std::vector<int32_t> templates_;
    kws::ListenSession session_;
    kws::TemplateBank bank_;
    int heard_ = 0;
};

int soak(int frames) {
    auto spotter = std::make_unique<Spotter>(SpotterConfig{});
    Noise microphone(4242);
    std::vector<int32_t> frame(kws::kFrame);
    int wrong = 0;
    for (int f = 0; f < frames; ++f) {
        for (auto& v : frame) v = microphone.next();
        if (spotter->hear(frame) != spotter->reference(frame)) ++wrong;
    }
    std::fprintf(stderr, "%d frames heard\n", spotter->heard());
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = soak(200);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const kws::DeviceError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
