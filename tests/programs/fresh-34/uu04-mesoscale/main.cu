// Regional weather model: dynamics on one stream, history output on another and in a thread.
#include <algorithm>
#include <chrono>

#include "wx/history.h"

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point t) { return std::chrono::duration<double, std::milli>(Clock::now() - t).count(); }

class Model {
public:
    explicit Model(const wx::GridConfig& c) : c_(c), grid_(c), history_(c, 4) {}

    void run() {
        grid_.reset(compute_);
        for (int step = 0; step < c_.steps; ++step) {
            grid_.advance(step, compute_);
            wx::Frame& f = history_.acquire();
            grid_.snapshot(f.field.get(), compute_);
            f.taken.record(compute_);
            history_.submit(f, step);
        }
        history_.drain();
        compute_.wait();
    }

    // Times one step of the dynamics and one coding pass, each on its own.
    void profile() {
        wx::DeviceField<int32_t> scratch(c_.cells());
        wx::DeviceField<int32_t> coded(c_.cells());
        grid_.reset(compute_);
        for (int pass = 0; pass < 2; ++pass) {
            dynamics_ms_ = timed([&] { grid_.advance(0, compute_); });
            grid_.snapshot(scratch.get(), compute_);
            encode_ms_ = timed([&] { wx::encode(c_, scratch.get(), coded.get(), compute_); });
        }
    }

    double ideal_ms() const {
        return c_.steps * std::max(dynamics_ms_, encode_ms_) + std::min(dynamics_ms_, encode_ms_);
    }

    const std::vector<uint32_t>& sums() const { return history_.sums(); }

private:
    template <class F>
    double timed(F&& body) {
        compute_.wait();
        wx::Event begin(cudaEventDefault);
        wx::Event end(cudaEventDefault);
        begin.record(compute_);
        body();
        end.record(compute_);
        end.wait();
        float ms = 0.0f;
        WX_CALL(cudaEventElapsedTime(&ms, begin.get(), end.get()));
        return ms;
    }

    wx::GridConfig c_;
    wx::Stream compute_;
    wx::Grid grid_;
    wx::History history_;
    double dynamics_ms_ = 0.0;
    double encode_ms_ = 0.0;
};

}  // namespace

int main() {
    wx::GridConfig config;
    Model model(config);
    model.profile();
    model.run();

    const auto begin = Clock::now();
    model.run();
    const double total = ms_since(begin);

    int off = 0;
    std::vector<int32_t> field = wx::Grid::initial(config);
    for (int step = 0; step < config.steps; ++step) {
        wx::Grid::advance_on_host(config, field, step);
        off += model.sums()[step] != wx::checksum_field(config, field.data());
    }
    const double ratio = total / model.ideal_ms();
    std::printf("steps %d total %.1f ms ideal %.1f ms\n", config.steps, total, model.ideal_ms());
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
