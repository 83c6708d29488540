#include "cuda_expect.h"
#include "gate_stage.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace {

struct Sensor {
    const char* name;
    int bias;
};

trk::GainTable gains_for(const Sensor& sensor)
{
    trk::GainTable table;
    for (int g = 0; g < trk::kGains; ++g) table[g] = sensor.bias + g % 7;
    return table;
}

}  // namespace

int main()
{
    const std::vector<Sensor> sensors = {{"radar", 3}, {"lidar", 40}, {"optical", 111}, {"acoustic", 19}};

    cudaStream_t scans;
    TRK_EXPECT(cudaStreamCreateWithFlags(&scans, cudaStreamNonBlocking));
    int* plots = nullptr;
    TRK_EXPECT(cudaMalloc(reinterpret_cast<void**>(&plots), trk::kTracks * sizeof(int)));

    long wrong = 0;
    {
        trk::StagingArena arena(sizeof(trk::GainTable), 8);
        std::vector<std::unique_ptr<trk::GateStage>> stages;
        for (const auto& sensor : sensors)
            stages.push_back(std::make_unique<trk::GateStage>(arena, gains_for(sensor), plots));

        std::vector<int> scan(trk::kTracks), gated(trk::kTracks);
        for (int sweep = 0; sweep < 3; ++sweep) {
            for (int i = 0; i < trk::kTracks; ++i) scan[i] = (i * 13 + sweep * 7) % 2001 - 1000;
            TRK_EXPECT(cudaMemcpyAsync(plots, scan.data(), scan.size() * sizeof(int),
                                       cudaMemcpyHostToDevice, scans));
            for (auto& stage : stages) stage->replay(scans);
            TRK_EXPECT(cudaStreamSynchronize(scans));

            for (std::size_t s = 0; s < stages.size(); ++s) {
                const auto gains = gains_for(sensors[s]);
                TRK_EXPECT(cudaMemcpy(gated.data(), stages[s]->gated(), gated.size() * sizeof(int),
                                      cudaMemcpyDeviceToHost));
                for (int i = 0; i < trk::kTracks; ++i) {
                    const int expect = std::clamp(scan[i] * gains[i % trk::kGains], -100000, 100000);
                    if (gated[i] != expect) ++wrong;
                }
            }
        }
    }
    cudaFree(plots);
    cudaStreamDestroy(scans);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
