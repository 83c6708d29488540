#include <cstdio>

#include "ensemble.cuh"

int main() {
    constexpr int kRequests = 16;
    int wrong = 0;
    {
        Ensemble ensemble;
        ensemble.build();
        std::vector<uint32_t> features(kFeatures);
        for (int r = 0; r < kRequests; ++r) {
            for (int i = 0; i < kFeatures; ++i) features[i] = (i + r * 7919) * 2654435761u;
            const auto got = ensemble.infer(features);
            for (int m = 0; m < kModels; ++m) {
                const ModelArgs args = model_args(m);
                uint32_t want = 0;
                for (int i = 0; i < kFeatures; ++i) want += args.a * features[(i * args.stride) % kFeatures] + args.b;
                wrong += want != got[m];
            }
        }
        wrong += ensemble.frames() != kRequests;
    }
    Arena::instance().clear();
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
