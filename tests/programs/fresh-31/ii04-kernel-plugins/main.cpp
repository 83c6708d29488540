#include <condition_variable>
#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "collector.h"
#include "estimator.h"

namespace {

class Worker {
public:
    Worker() : thread_([this] { loop(); }) {}
    ~Worker() {
        post(nullptr);
        thread_.join();
    }
    void post(std::function<void()> job) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        wake_.notify_one();
    }

private:
    void loop() {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return !jobs_.empty(); });
            auto job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            if (!job) return;
            job();
        }
    }
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> jobs_;
    std::thread thread_;
};

class Registry {
public:
    void install(std::unique_ptr<fusion::Estimator> estimator) {
        // The fixed part of the cost decides the order of dispatch.
        const float overhead = estimator->profile(0);
        auto at = entries_.begin();
        while (at != entries_.end() && at->overhead >= overhead) ++at;
        entries_.insert(at, Entry{std::move(estimator), overhead});
    }
    int size() const { return static_cast<int>(entries_.size()); }
    fusion::Estimator& operator[](int i) { return *entries_[i].estimator; }

private:
    struct Entry {
        std::unique_ptr<fusion::Estimator> estimator;
        float overhead;
    };
    std::vector<Entry> entries_;
};

}  // namespace

int main() {
    constexpr int kEpochs = 12;
    Registry registry;
    registry.install(fusion::make_mean_estimator());
    registry.install(fusion::make_peak_estimator());
    registry.install(fusion::make_energy_estimator());

    fusion::Collector collector(kEpochs);
    std::vector<float> expected(kEpochs * fusion::kMaxSensors, 0.0f);
    {
        std::vector<std::unique_ptr<Worker>> workers;
        for (int s = 0; s < registry.size(); ++s) workers.push_back(std::make_unique<Worker>());

        for (unsigned epoch = 1; epoch <= kEpochs; ++epoch) {
            collector.begin(epoch, registry.size());
            for (int s = 0; s < registry.size(); ++s) {
                workers[s]->post([&registry, &collector, &expected, s, epoch] {
                    fusion::Estimator& estimator = registry[s];
                    float* window = estimator.window();
                    for (int i = 0; i < fusion::kWindow; ++i) window[i] = fusion::sample_value(s, epoch, i);
                    expected[(epoch - 1) * fusion::kMaxSensors + s] = estimator.reference(window, fusion::kWindow);
                    estimator.run(collector.board(), s, epoch);
                });
            }
            collector.finish();
        }
    }

    const std::vector<float> history = collector.history();
    int wrong = 0;
    for (int e = 0; e < kEpochs; ++e)
        for (int s = 0; s < registry.size(); ++s) {
            const std::size_t at = static_cast<std::size_t>(e) * fusion::kMaxSensors + s;
            if (std::fabs(history[at] - expected[at]) > 1e-3f * (1.0f + std::fabs(expected[at]))) ++wrong;
        }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
