#include "stage.h"
#include <cmath>

int main() {
    constexpr int n = 1 << 15, projections = 6;
    constexpr float dark = 3.f;
    float *in, *out;
    CT_CHECK(cudaMallocHost(&in, n * sizeof(float)));
    CT_CHECK(cudaMallocHost(&out, n * sizeof(float)));

    int wrong = 0;
    {
        ct::Pipeline pipeline(n);
        pipeline.add(ct::makeNormalise(dark)).add(ct::makeNoiseEstimate()).add(ct::makeBlend());
        for (int p = 0; p < projections; ++p) {
            for (int i = 0; i < n; ++i) in[i] = float((i * (p + 3)) % 251 + 40 * p);
            pipeline.process(in, out);
            int bad = 0;
            for (int i = 0; i < n; ++i) {
                const float noise = in[i] + 0.5f * in[(i + 1) % n];
                if (std::fabs(out[i] - (in[i] - dark - 0.25f * noise)) > 1e-2f) ++bad;
            }
            wrong += bad != 0;
        }
    }
    CT_CHECK(cudaFreeHost(out));
    CT_CHECK(cudaFreeHost(in));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
