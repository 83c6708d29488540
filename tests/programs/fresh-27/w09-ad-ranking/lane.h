#pragma once
#include <future>
#include <string>
#include <vector>

#include "staging.h"

namespace ads {

// Parsed from the deployment manifest; these are the defaults of the ranking tier.
struct ServerConfig {
    std::string model = "dlrm-small";
    int lanes = 4;
    std::size_t candidates = 2048;
    unsigned long long model_time_ns = 60'000'000ull;
};

struct Request {
    int user = 0;
    float bid_scale = 1.f;
};

using Scores = std::vector<float>;

// One slot of the server: its own stream, device memory and staging memory.
class RankingLane {
public:
    explicit RankingLane(const ServerConfig& config);
    ~RankingLane();
    RankingLane(const RankingLane&) = delete;
    RankingLane& operator=(const RankingLane&) = delete;

    std::future<Scores> submit(const Request& request);

private:
    Scores collect();

    const ServerConfig config_;
    cudaStream_t stream_ = nullptr;
    float* device_features_ = nullptr;
    float* device_scores_ = nullptr;
    HostBlock features_;
    HostBlock scores_;
};

}  // namespace ads
