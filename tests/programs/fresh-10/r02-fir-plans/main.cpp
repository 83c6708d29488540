// Hydrophone front end: each channel of the array is split into bands.
#include <cstdio>
#include <vector>

#include "filter_bank.h"

namespace {

std::vector<int> recording(int samples, int channel) {
    std::vector<int> s(samples);
    for (int i = 0; i < samples; ++i) s[i] = (i * (channel + 3) + channel) % 29 - 14;
    return s;
}

int mismatches(const std::vector<int>& in, const std::vector<int>& out, int band) {
    int bad = 0;
    for (int i = 0; i < static_cast<int>(in.size()); ++i) {
        int want = 0;
        for (int k = 0; k < fir::kTaps && k <= i; ++k) want += fir::FilterBank::tap(band, k) * in[i - k];
        bad += out[i] != want;
    }
    return bad;
}

int listen() {
    constexpr int kSamples = 1 << 14;
    fir::FilterBank bank(kSamples);
    std::vector<std::unique_ptr<fir::FilterPlan>> plans;
    for (int band : {1, 4, 7}) plans.push_back(bank.design(band));

    int bad = 0;
    for (int channel = 0; channel < 4; ++channel) {
        const std::vector<int> signal = recording(kSamples, channel);
        for (auto& plan : plans) bad += mismatches(signal, plan->execute(signal), plan->band());
    }
    return bad;
}

}  // namespace

int main() {
    try {
        const int bad = listen();
        if (bad != 0) {
            std::printf("WRONG %d\n", bad);
            return 1;
        }
    } catch (const fir::CudaFailure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
