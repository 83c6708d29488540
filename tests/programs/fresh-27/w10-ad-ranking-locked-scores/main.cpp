#include <chrono>
#include <cmath>
#include <cstdio>

#include "lane.h"

namespace {

using Clock = std::chrono::steady_clock;

class RankingServer {
public:
    explicit RankingServer(const ads::ServerConfig& config) {
        for (int i = 0; i < config.lanes; ++i) lanes_.push_back(std::make_unique<ads::RankingLane>(config));
    }

    // Serves a burst of requests, one per lane, and returns the answers in order.
    std::vector<ads::Scores> serve(const std::vector<ads::Request>& burst) {
        std::vector<std::future<ads::Scores>> pending;
        for (std::size_t i = 0; i < burst.size(); ++i)
            pending.push_back(lanes_[i % lanes_.size()]->submit(burst[i]));
        std::vector<ads::Scores> answers;
        for (auto& p : pending) answers.push_back(p.get());
        return answers;
    }

private:
    std::vector<std::unique_ptr<ads::RankingLane>> lanes_;
};

template <class F>
double milliseconds(F&& body) {
    const auto begin = Clock::now();
    body();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

int mismatches(const ads::Request& request, const ads::Scores& scores) {
    int bad = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const float feature = static_cast<float>((request.user * 31 + static_cast<int>(i)) % 97);
        bad += std::fabs(scores[i] - (feature * request.bid_scale + 1.f)) > 1e-3f;
    }
    return bad;
}

}  // namespace

int main() {
    try {
        const ads::ServerConfig config;
        RankingServer server(config);

        std::vector<ads::Request> burst;
        for (int i = 0; i < config.lanes; ++i) burst.push_back({100 + i, 0.5f + 0.25f * i});
        const std::vector<ads::Request> single(burst.begin(), burst.begin() + 1);

        server.serve(burst);
        const double latency = milliseconds([&] { server.serve(single); });

        std::vector<ads::Scores> answers;
        const double burst_time = milliseconds([&] { answers = server.serve(burst); });

        int wrong = 0;
        for (std::size_t i = 0; i < burst.size(); ++i) wrong += mismatches(burst[i], answers[i]);
        const double ratio = burst_time / latency;
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else if (ratio > 1.5)
            std::printf("SLOW %.2f\n", ratio);
        else
            std::printf("DONE\n");
        return wrong || ratio > 1.5;
    } catch (const ads::ServingError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
