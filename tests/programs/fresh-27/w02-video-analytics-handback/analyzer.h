#pragma once
#include "frame_pool.h"

namespace va {

struct AnalyzerConfig {
    int width = 640;
    int height = 360;
    int max_frames = 12;
    unsigned long long model_cost_ns = 40'000'000ull;  // time of the detector network per frame
};

// Runs the brightness detector over frames in arrival order.
class Analyzer {
public:
    explicit Analyzer(const AnalyzerConfig& config);

    void submit(DecodedFrame frame);
    std::vector<unsigned> results();

private:
    AnalyzerConfig config_;
    Stream stream_;
    DeviceArray<std::uint8_t> frame_;
    DeviceArray<unsigned> energy_;
};

}  // namespace va
