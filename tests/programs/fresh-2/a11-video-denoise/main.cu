#include <chrono>
#include <memory>

#include "lane.cuh"

namespace {

using Clock = std::chrono::steady_clock;

template <class F>
double elapsed_ms(F&& body) {
    const auto t0 = Clock::now();
    body();
    return std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
}

class Transcoder {
public:
    explicit Transcoder(int lanes) {
        for (int i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<vid::Lane>(i));
    }
    void frame(size_t active) {
        for (size_t i = 0; i < active; ++i) lanes_[i]->enqueue();
        for (size_t i = 0; i < active; ++i) lanes_[i]->finish();
    }
    size_t size() const { return lanes_.size(); }
    long mismatches() const {
        long n = 0;
        for (const auto& l : lanes_) n += l->mismatches();
        return n;
    }

private:
    std::vector<std::unique_ptr<vid::Lane>> lanes_;
};

}  // namespace

int main() {
    vid::must(cudaSetDevice(0));
    Transcoder t(6);
    t.frame(t.size());

    const int frames = 3;
    const double one = elapsed_ms([&] {
        for (int f = 0; f < frames; ++f) t.frame(1);
    });
    const double all = elapsed_ms([&] {
        for (int f = 0; f < frames; ++f) t.frame(t.size());
    });
    std::printf("1 lane %.1f ms, %zu lanes %.1f ms\n", one, t.size(), all);

    if (const long bad = t.mismatches()) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    const double ratio = all / one;
    if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return ratio > 1.5;
}
