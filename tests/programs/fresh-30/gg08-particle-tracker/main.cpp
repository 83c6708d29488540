#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "stages.h"

using namespace tracker;

namespace {

// The sensor draws maps on its own thread, one ahead of the tracker.
class Sensor {
public:
    Sensor() : thread_([this] { work(); }) {}
    ~Sensor() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            leaving_ = true;
        }
        changed_.notify_all();
        thread_.join();
        cudaFree(drawn_);
    }
    Sensor(const Sensor&) = delete;
    Sensor& operator=(const Sensor&) = delete;

    void request(int scan) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            wanted_ = scan;
        }
        changed_.notify_all();
    }

    // The buffer in which the map of `scan` is drawn, as soon as that is
    // under way.
    const uint32_t* receive(int scan) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return issued_ == scan; });
        return drawn_;
    }

private:
    void work() {
        need(cudaMalloc(reinterpret_cast<void**>(&drawn_), kMap * sizeof(uint32_t)));
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return leaving_ || wanted_ > issued_; });
            if (leaving_) return;
            draw_map(drawn_, wanted_);
            issued_ = wanted_;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int wanted_ = -1;
    int issued_ = -1;
    bool leaving_ = false;
    uint32_t* drawn_ = nullptr;
    std::thread thread_;
};

std::vector<Estimate> expected() {
    std::vector<Estimate> out;
    std::vector<uint32_t> place(kParticles), old;
    for (int i = 0; i < kParticles; ++i) place[static_cast<size_t>(i)] = static_cast<uint32_t>(i) * 7u;
    for (int scan = 0; scan < kScans; ++scan) {
        Estimate e{0, 0};
        for (int i = 0; i < kParticles; ++i) {
            uint32_t& p = place[static_cast<size_t>(i)];
            p = moved(p, scan, i);
            e.total += map_cell(scan, static_cast<int>(p % kMap));
            e.place_sum += p;
        }
        old = place;
        for (int i = 0; i < kParticles; ++i) {
            place[static_cast<size_t>(i)] = old[static_cast<size_t>(heir(i, e.total))];
        }
        out.push_back(e);
    }
    return out;
}

}  // namespace

int main() {
    long bad = 0;
    {
        State state;
        const auto motion = make_motion_stage();
        const auto resample = make_resample_stage();
        const auto recorder = make_recorder();
        Sensor sensor;

        sensor.request(0);
        for (int scan = 0; scan < kScans; ++scan) {
            adopt_map(state, sensor.receive(scan));
            motion->run(state, scan);
            if (scan + 1 < kScans) sensor.request(scan + 1);
            resample->run(state, scan);
            recorder->run(state, scan);
        }

        const auto want = expected();
        const Estimate* got = recorder->estimates();
        for (int s = 0; s < kScans; ++s) {
            bad += got[s].total != want[static_cast<size_t>(s)].total;
            bad += got[s].place_sum != want[static_cast<size_t>(s)].place_sum;
        }
    }
    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
