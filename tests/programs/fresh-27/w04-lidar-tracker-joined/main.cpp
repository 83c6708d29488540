#include <vector>

#include "stage.h"

namespace {

struct PipelineConfig {
    std::vector<std::string> stages{"acquire", "cluster", "track"};
    int sweeps = 4;
};

class Pipeline {
public:
    explicit Pipeline(const PipelineConfig& config) {
        for (const auto& name : config.stages) {
            auto stage = lidar::make_stage(name);
            if (!stages_.empty()) stage->follow(stages_.back().get());
            stages_.push_back(std::move(stage));
        }
    }

    void feed(lidar::Sweep& sweep) {
        for (auto& stage : stages_) stage->run(sweep);
    }

    void drain() {
        for (auto& stage : stages_) stage->drain();
    }

private:
    std::vector<std::unique_ptr<lidar::Stage>> stages_;
};

std::vector<int> expected_track(int sweep) {
    std::vector<int> count(lidar::kCells), moment(lidar::kCells), track(lidar::kCells);
    for (int i = 0; i < lidar::kPoints; ++i) {
        const int range = 10 + (i * 7 + sweep * 13) % 101;
        const int cell = (range * 31 + i) % lidar::kCells;
        ++count[cell];
        moment[cell] += range;
    }
    for (int c = 0; c < lidar::kCells; ++c) track[c] = count[c] ? moment[c] / count[c] : -1;
    return track;
}

}  // namespace

int main() {
    const PipelineConfig config;
    Pipeline pipeline(config);

    std::vector<lidar::Sweep> sweeps;
    for (int s = 0; s < config.sweeps; ++s) sweeps.emplace_back(s);
    LT_CUDA(cudaDeviceSynchronize());

    for (auto& sweep : sweeps) pipeline.feed(sweep);
    pipeline.drain();

    int wrong = 0;
    std::vector<int> track(lidar::kCells);
    for (auto& sweep : sweeps) {
        LT_CUDA(cudaMemcpy(track.data(), sweep.track.get(), track.size() * sizeof(int),
                           cudaMemcpyDeviceToHost));
        const auto expected = expected_track(sweep.id);
        for (int c = 0; c < lidar::kCells; ++c) wrong += track[c] != expected[c];
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
