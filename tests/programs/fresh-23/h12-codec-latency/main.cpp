#include "latency.h"

#include <cstdio>
#include <cstdlib>

namespace {

std::vector<std::int16_t> recording(int samples) {
    std::vector<std::int16_t> values(samples);
    for (int i = 0; i < samples; ++i) values[i] = static_cast<std::int16_t>((i * 37 + (i >> 5) * 11) % 4001 - 2000);
    return values;
}

std::uint64_t reference(const std::vector<std::int16_t>& samples, int quantum) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const int residual = i == 0 ? samples[0] : samples[i] - samples[i - 1];
        sum += static_cast<std::uint64_t>(std::abs(residual) / quantum);
    }
    return sum;
}

double deviceMilliseconds(codec::Encoder& encoder, int repetitions) {
    cudaEvent_t begin = nullptr, end = nullptr;
    codec::require(cudaEventCreate(&begin));
    codec::require(cudaEventCreate(&end));
    codec::require(cudaEventRecord(begin, encoder.stream()));
    for (int i = 0; i < repetitions; ++i) encoder.encode();
    codec::require(cudaEventRecord(end, encoder.stream()));
    codec::require(cudaEventSynchronize(end));
    float total = 0;
    codec::require(cudaEventElapsedTime(&total, begin, end));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return total / repetitions;
}

}  // namespace

int main() {
    try {
        codec::Encoder encoder{codec::EncoderConfig{}};
        const auto samples = recording(encoder.config().samples);
        encoder.load(samples.data());

        codec::LatencyProbe probe;
        const auto submit = [&encoder] { encoder.encode(); };
        for (int i = 0; i < 3; ++i) probe.once(encoder.stream(), submit);
        const double latency = probe.median(encoder.stream(), 15, submit);
        const double device = deviceMilliseconds(encoder, 10);
        std::printf("latency %.3f ms, device %.3f ms\n", latency, device);

        const bool right = encoder.checksum() == reference(samples, encoder.config().quantum);
        const double ratio = std::max(latency / device, device / latency);
        if (!right) std::printf("WRONG 1\n");
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
    } catch (const codec::CodecError& error) {
        std::printf("ERROR %s\n", error.what());
        return 1;
    }
    return 0;
}
