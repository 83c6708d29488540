// Steady-state times of the channelizers of a software radio.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "candidate.h"

void sdr(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

constexpr int kChannels = 8;
constexpr int kLength = 8192;
constexpr int kIterations = 4;

class Bench {
public:
    Bench() {
        sdr(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        sdr(cudaEventCreate(&begin_));
        sdr(cudaEventCreate(&end_));
    }
    ~Bench() {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
        cudaStreamDestroy(stream_);
    }

    float meanMs(Candidate& candidate, const Workload& work) {
        candidate.run(work, stream_);
        sdr(cudaEventRecord(begin_, stream_));
        for (int i = 0; i < kIterations; ++i) candidate.run(work, stream_);
        sdr(cudaEventRecord(end_, stream_));
        sdr(cudaEventSynchronize(end_));
        float ms = 0.0f;
        sdr(cudaEventElapsedTime(&ms, begin_, end_));
        return ms / kIterations;
    }

private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

int countWrong(const Workload& work) {
    std::vector<float> out(static_cast<size_t>(kChannels) * kLength);
    sdr(cudaMemcpy(out.data(), work.channels, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int c = 0; c < kChannels; ++c) {
        for (int i = 0; i < kLength; ++i) {
            wrong += out[static_cast<size_t>(c) * kLength + i] != static_cast<float>(i % 64 + c);
        }
    }
    return wrong;
}

}  // namespace

int main() {
    std::vector<float> host(kLength);
    for (int i = 0; i < kLength; ++i) host[i] = static_cast<float>(i % 64);
    float* signal = nullptr;
    float* channels = nullptr;
    const size_t outBytes = static_cast<size_t>(kChannels) * kLength * sizeof(float);
    sdr(cudaMalloc(&signal, kLength * sizeof(float)));
    sdr(cudaMalloc(&channels, outBytes));
    sdr(cudaMemcpy(signal, host.data(), kLength * sizeof(float), cudaMemcpyHostToDevice));

    const Workload work{signal, channels, kLength, kChannels};
    int wrong = 0;
    double worst = 1.0;
    {
        Bench bench;
        for (auto& candidate : makeCandidates()) {
            sdr(cudaMemset(channels, 0, outBytes));
            sdr(cudaDeviceSynchronize());
            const double ms = bench.meanMs(*candidate, work);
            const double honest = candidate->expectedMs(work);
            worst = std::max({worst, ms / honest, honest / ms});
            wrong += countWrong(work);
            std::printf("%-12s %8.3f ms\n", candidate->name().c_str(), ms);
        }
    }
    sdr(cudaFree(channels));
    sdr(cudaFree(signal));
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    if (worst > 1.5) {
        std::printf("SLOW %.2f\n", worst);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
