// Courier robots report scans to the actor that owns the shared map.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "map_actor.cuh"

void require(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

constexpr int kScans = 12;
constexpr int kRobots = 4;
constexpr int kEnvelopes = 3;

float sampleOf(int sequence, int i) { return static_cast<float>(sequence * 1000 + i % 97); }

}  // namespace

int main() {
    int wrong = 0;
    {
        EnvelopePool pool(kEnvelopes, kScanSamples);
        MapActor actor(kScans);
        for (int sequence = 0; sequence < kScans; ++sequence) {
            EnvelopePtr envelope = pool.acquire();
            envelope->robot = sequence % kRobots;
            envelope->sequence = sequence;
            for (int i = 0; i < kScanSamples; ++i) envelope->samples[i] = sampleOf(sequence, i);
            actor.post(std::move(envelope));
        }
        actor.shutdown();

        std::vector<float> layer(kScanSamples);
        for (int sequence = 0; sequence < kScans; ++sequence) {
            require(cudaMemcpy(layer.data(), actor.layer(sequence), kScanSamples * sizeof(float),
                               cudaMemcpyDeviceToHost),
                    "readback");
            for (int i = 0; i < kScanSamples; ++i) wrong += layer[i] != sampleOf(sequence, i);
        }
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
