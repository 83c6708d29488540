#include "bench.h"

namespace bank {
namespace {

constexpr int kBands = 4;
constexpr int kSamples = 1 << 15;
constexpr unsigned long long kBudget[kBands] = {8000000ull, 16000000ull, 24000000ull, 40000000ull};

__host__ __device__ inline int band_sample(int sample, int band) { return (sample * (2 * band + 3)) % 1009 - 500; }

__global__ void band_filter(int* band_out, int band, unsigned long long budget) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < budget);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSamples; i += gridDim.x * blockDim.x) {
        band_out[i] = band_sample(i, band);
    }
}

__global__ void mix_bands(const int* bands, int* mixed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kSamples) return;
    int sum = 0;
    for (int band = 0; band < kBands; ++band) sum += bands[band * kSamples + i];
    mixed[i] = sum;
}

struct Samples {
    explicit Samples(int count) : count(count) {
        MUST(cudaMalloc(reinterpret_cast<void**>(&data), count * sizeof(int)));
        MUST(cudaMemset(data, 0, count * sizeof(int)));
        MUST(cudaDeviceSynchronize());
    }
    ~Samples() { cudaFree(data); }
    Samples(const Samples&) = delete;
    Samples& operator=(const Samples&) = delete;
    std::vector<int> download() const {
        std::vector<int> host(count);
        MUST(cudaMemcpy(host.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost));
        return host;
    }
    int count;
    int* data = nullptr;
};

void split(LaneSet& lanes, int* bands) {
    for (int band = 0; band < kBands; ++band) {
        band_filter<<<8, 256, 0, lanes[band % lanes.size()]>>>(bands + band * kSamples, band, kBudget[band]);
        MUST(cudaGetLastError());
    }
}

// Splits a signal into its bands.
class Analysis final : public Case {
public:
    void iterate(LaneSet& lanes) override { split(lanes, bands_.data); }

    int mismatches() override {
        const std::vector<int> host = bands_.download();
        int wrong = 0;
        for (int k = 0; k < kBands * kSamples; ++k) wrong += host[k] != band_sample(k % kSamples, k / kSamples);
        return wrong;
    }

private:
    Samples bands_{kBands * kSamples};
};

// Splits a signal and puts it together again.
class Synthesis final : public Case {
public:
    void iterate(LaneSet& lanes) override {
        split(lanes, bands_.data);
        lanes.fan_in();
        mix_bands<<<kSamples / 256, 256, 0, lanes.lead()>>>(bands_.data, mixed_.data);
        MUST(cudaGetLastError());
    }

    int mismatches() override {
        const std::vector<int> host = mixed_.download();
        int wrong = 0;
        for (int i = 0; i < kSamples; ++i) {
            int sum = 0;
            for (int band = 0; band < kBands; ++band) sum += band_sample(i, band);
            wrong += host[i] != sum;
        }
        return wrong;
    }

private:
    Samples bands_{kBands * kSamples};
    Samples mixed_{kSamples};
};

BANK_CASE(Analysis);
BANK_CASE(Synthesis);

}  // namespace
}  // namespace bank
