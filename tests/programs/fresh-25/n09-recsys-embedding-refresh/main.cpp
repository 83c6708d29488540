#include "shard.h"
#include <chrono>
#include <cstdio>
#include <future>

namespace {

using Clock = std::chrono::steady_clock;

double elapsedMs(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

class Ranker {
public:
    explicit Ranker(const recsys::RankerConfig& config) : config_(config) {
        for (int i = 0; i < config.shards; ++i) {
            shards_.push_back(std::make_unique<recsys::Shard>(i, config));
        }
    }

    double serveOne() {
        auto start = Clock::now();
        shards_.front()->serve(1);
        return elapsedMs(start);
    }

    double serveAll() {
        auto start = Clock::now();
        std::vector<std::future<void>> running;
        for (auto& shard : shards_) {
            running.push_back(std::async(std::launch::async, [this, &shard] {
                shard->serve(config_.requestsPerShard);
            }));
        }
        for (auto& r : running) r.get();
        return elapsedMs(start);
    }

    long verify() const {
        long wrong = 0;
        for (const auto& shard : shards_) {
            auto scores = shard->scores();
            for (int k = 0; k < config_.requestsPerShard; ++k) {
                for (int i = 0; i < config_.items; ++i) {
                    float want = recsys::embeddingValue(shard->requestId(k), i) * 2.0f + 1.0f;
                    if (scores[static_cast<std::size_t>(k) * config_.items + i] != want) ++wrong;
                }
            }
        }
        return wrong;
    }

private:
    recsys::RankerConfig config_;
    std::vector<std::unique_ptr<recsys::Shard>> shards_;
};

}  // namespace

int main() {
    try {
        recsys::RankerConfig config;
        Ranker ranker(config);
        double one = ranker.serveOne();
        double all = ranker.serveAll();
        double ratio = all / (one * config.requestsPerShard);
        std::fprintf(stderr, "one %.1f ms, all %.1f ms\n", one, all);
        if (long wrong = ranker.verify()) std::printf("WRONG %ld\n", wrong);
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const recsys::GpuError& e) {
        std::fprintf(stderr, "%s\n", e.where().c_str());
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
