// Seismic shot stacking: every shot is recorded by three receiver spreads; each spread
// is filtered on its own lane and the three results are stacked into one trace.
#include "lanes.h"
#include <cmath>
#include <cstdio>
#include <vector>

#define MUST(call)                                     \
    do {                                               \
        CUresult m_ = (call);                          \
        if (m_ != CUDA_SUCCESS) {                      \
            const char *name = "unknown";              \
            cuGetErrorName(m_, &name);                 \
            std::printf("ERROR %s\n", name);           \
            return 1;                                  \
        }                                              \
    } while (0)

namespace {
constexpr int kSpreads = 3;
constexpr int kShots = 4;
constexpr int kSamples = 1 << 15;

struct survey {
    CUdeviceptr raw = 0, filtered = 0, stacked = 0;
};

CUresult survey_open(survey *sv)
{
    const size_t shot = sizeof(float) * kSpreads * kSamples;
    CU_TRY(cuMemAlloc(&sv->raw, shot * kShots));
    CU_TRY(cuMemAlloc(&sv->filtered, shot * kShots));
    CU_TRY(cuMemAlloc(&sv->stacked, sizeof(float) * kSamples * kShots));
    return CUDA_SUCCESS;
}

CUdeviceptr at(CUdeviceptr base, int shot, int spread)
{
    return base + sizeof(float) * ((size_t)(shot * kSpreads + spread) * kSamples);
}

float gain_of(int spread) { return 0.5f + 0.25f * (float)spread; }

CUresult enqueue_shot(lane_set *ls, const survey &sv, int shot)
{
    CUstream stack_lane = lanes_acquire(ls);
    for (int p = 0; p < kSpreads; ++p)
        CU_TRY(lanes_await(ls, stack_lane, p, (uint32_t)shot + 1));
    CU_TRY(stage_stack(stack_lane, at(sv.filtered, shot, 0),
                       sv.stacked + sizeof(float) * (size_t)shot * kSamples, kSamples, kSpreads));

    for (int p = 0; p < kSpreads; ++p) {
        CUstream lane = lanes_acquire(ls);
        CU_TRY(stage_filter(lane, at(sv.raw, shot, p), at(sv.filtered, shot, p), kSamples, gain_of(p)));
        CU_TRY(lanes_signal(ls, lane, p, (uint32_t)shot + 1));
    }
    return CUDA_SUCCESS;
}
} // namespace

int main()
{
    lane_config cfg;
    cfg.lanes = kSpreads;
    cfg.tickets = kSpreads;

    lane_set *ls = nullptr;
    survey sv;
    MUST(lanes_open(&cfg, &ls));
    MUST(survey_open(&sv));
    MUST(stage_prepare());

    std::vector<float> raw((size_t)kShots * kSpreads * kSamples);
    for (size_t i = 0; i < raw.size(); ++i)
        raw[i] = (float)(i * 7 % 31) - 15.f;
    MUST(cuMemcpyHtoD(sv.raw, raw.data(), raw.size() * sizeof(float)));

    for (int shot = 0; shot < kShots; ++shot)
        MUST(enqueue_shot(ls, sv, shot));
    MUST(lanes_drain(ls));

    std::vector<float> got((size_t)kShots * kSamples);
    MUST(cuMemcpyDtoH(got.data(), sv.stacked, got.size() * sizeof(float)));
    long wrong = 0;
    for (int shot = 0; shot < kShots; ++shot)
        for (int i = 0; i < kSamples; ++i) {
            float e = 0.f;
            for (int p = 0; p < kSpreads; ++p) {
                const float *r = &raw[(size_t)(shot * kSpreads + p) * kSamples];
                e += gain_of(p) * (r[i] + (i > 0 ? r[i - 1] : r[i]));
            }
            if (std::fabs(e - got[(size_t)shot * kSamples + i]) > 1e-3f)
                wrong++;
        }

    MUST(cuMemFree(sv.raw));
    MUST(cuMemFree(sv.filtered));
    MUST(cuMemFree(sv.stacked));
    MUST(lanes_close(ls));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
