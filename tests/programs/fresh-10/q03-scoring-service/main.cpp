#include <cstdio>
#include "service.h"

static std::vector<float> applicants(int rows, int seed) {
    std::vector<float> v(std::size_t(rows) * kFeatures);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = float((i * 7 + seed) % 9);
    return v;
}

int main() {
    std::vector<float> weights(kFeatures);
    for (int f = 0; f < kFeatures; ++f) weights[f] = float(f % 4);

    int wrong = 0;
    {
        ScoringService service(weights);
        const int sizes[] = {256, 1024, 512, 4096, 800, 6000};
        std::vector<std::future<std::vector<float>>> replies;
        for (int i = 0; i < 6; ++i) replies.push_back(service.score(applicants(sizes[i], i)));
        for (int i = 0; i < 6; ++i) {
            const auto got = replies[i].get();
            const auto rows = applicants(sizes[i], i);
            for (int r = 0; r < sizes[i]; ++r) {
                float want = 0.f;
                for (int f = 0; f < kFeatures; ++f) want += weights[f] * rows[std::size_t(r) * kFeatures + f];
                if (got[r] != want) ++wrong;
            }
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
