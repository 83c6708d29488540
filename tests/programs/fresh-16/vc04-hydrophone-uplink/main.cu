// Harbour watch: eight hydrophones, band levels of each over one block of samples.
#include <cmath>
#include <cstdio>
#include <vector>
#include "sonar.cuh"
#include "uplink.h"

namespace {

using namespace hydro;
constexpr int kChannels = 8;

struct Station {
    Station() : uplink(kBlock, 4) {
        HYDRO_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        HYDRO_OK(cudaMalloc(&samples, sizeof(float) * kBlock * kChannels));
        HYDRO_OK(cudaMalloc(&floorLevel, sizeof(float) * kChannels));
        HYDRO_OK(cudaMalloc(&levels, sizeof(float) * kChannels * kBands));
        HYDRO_OK(cudaMallocHost(&report, sizeof(float) * kChannels * kBands));
    }
    ~Station() {
        cudaFreeHost(report);
        cudaFree(levels);
        cudaFree(floorLevel);
        cudaFree(samples);
        cudaStreamDestroy(stream);
    }

    void listen(int channel, const std::vector<float>& block, long long history) {
        float* target = samples + static_cast<std::size_t>(channel) * kBlock;
        trackFloor<<<1, 32, 0, stream>>>(floorLevel, channel, history);
        HYDRO_OK(cudaGetLastError());
        uplink.push(block, target, stream);
        bandLevels<<<kBands, 256, 0, stream>>>(target, floorLevel, channel, levels);
        HYDRO_OK(cudaGetLastError());
    }

    const float* collect() {
        HYDRO_OK(cudaMemcpyAsync(report, levels, sizeof(float) * kChannels * kBands, cudaMemcpyDeviceToHost, stream));
        HYDRO_OK(cudaStreamSynchronize(stream));
        return report;
    }

    Uplink uplink;
    cudaStream_t stream = nullptr;
    float* samples = nullptr;
    float* floorLevel = nullptr;
    float* levels = nullptr;
    float* report = nullptr;
};

std::vector<float> record(int channel) {
    std::vector<float> block(kBlock);
    for (int i = 0; i < kBlock; ++i)
        block[i] = 2.0f * static_cast<float>(channel) + 0.125f * static_cast<float>((i / (kBlock / kBands)) % 7);
    return block;
}

float expected(int channel, int band) {
    return 2.0f * static_cast<float>(channel) + 0.125f * static_cast<float>(band % 7) - 0.25f * static_cast<float>(channel + 1);
}

}  // namespace

int main() {
    Station station;
    std::vector<std::vector<float>> blocks;
    for (int c = 0; c < kChannels; ++c) blocks.push_back(record(c));

    station.listen(0, std::vector<float>(kBlock, 0.0f), 1000);
    station.collect();

    for (int c = 0; c < kChannels; ++c) station.listen(c, blocks[c], 80'000'000);
    const float* report = station.collect();

    int bad = 0;
    for (int c = 0; c < kChannels; ++c)
        for (int b = 0; b < kBands; ++b)
            if (std::fabs(report[c * kBands + b] - expected(c, b)) > 1e-3f) ++bad;
    if (bad) std::printf("WRONG %d\n", bad);
    else std::printf("DONE\n");
    return 0;
}
