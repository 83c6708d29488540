#include <algorithm>
#include <array>
#include <chrono>

#include "codec.cuh"

using namespace colbench;

namespace {

enum LaneKind { kNarrow, kWide, kLanes };

struct Report {
    double device_ms;
    double wall_ms;
};

class Bench {
public:
    Bench() {
        for (auto& s : lanes_) ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~Bench() {
        for (auto& s : lanes_) cudaStreamDestroy(s);
    }
    Bench& add(int rows, int width) {
        columns_.emplace_back(rows, width);
        return *this;
    }

    Report run() {
        settle();
        GpuTimer timer(events_);
        const auto begin = std::chrono::steady_clock::now();
        timer.start(lanes_[kNarrow]);
        for (Column& c : columns_) c.encode(lane_of(c));
        timer.stop(lanes_[kNarrow]);
        settle();
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
        return {timer.milliseconds(), wall.count()};
    }

    size_t bytes() const {
        size_t n = 0;
        for (const Column& c : columns_) n += c.bytes();
        return n;
    }
    int check() const {
        int wrong = 0;
        for (const Column& c : columns_)
            if (c.last_offset() != uint32_t(c.rows() - 1) * uint32_t(c.width())) ++wrong;
        return wrong;
    }

private:
    cudaStream_t lane_of(const Column& c) const { return lanes_[c.width() > 8 ? kWide : kNarrow]; }
    void settle() const {
        for (auto s : lanes_) ok(cudaStreamSynchronize(s));
    }

    EventCache events_;
    std::array<cudaStream_t, kLanes> lanes_{};
    std::vector<Column> columns_;
};

}  // namespace

int main() {
    ok(cudaSetDevice(0));
    Bench bench;
    constexpr int rows = 1 << 18;
    for (int i = 0; i < 4; ++i) bench.add(rows, 4).add(rows, 24);

    bench.run();
    bench.run();
    std::vector<Report> reports;
    for (int i = 0; i < 5; ++i) reports.push_back(bench.run());
    std::sort(reports.begin(), reports.end(), [](const Report& a, const Report& b) { return a.device_ms < b.device_ms; });
    const Report& median = reports[reports.size() / 2];

    std::printf("encode: %.3f ms, %.2f GB/s\n", median.device_ms, bench.bytes() / median.device_ms / 1e6);
    const double ratio = median.wall_ms / median.device_ms;
    if (int wrong = bench.check())
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::puts("DONE");
    return 0;
}
