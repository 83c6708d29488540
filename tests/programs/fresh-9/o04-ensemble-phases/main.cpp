#include "ensemble.h"
#include <cmath>

using namespace wx;

int main() {
    constexpr int kMembers = 3, kCycles = 3;
    float *forecasts, *analysis;
    ok(cudaHostAlloc(&forecasts, kMembers * kCells * sizeof(float), cudaHostAllocMapped));
    ok(cudaHostAlloc(&analysis, kCells * sizeof(float), cudaHostAllocMapped));

    int wrong = 0;
    {
        PhaseClock clock;
        std::vector<std::unique_ptr<Member>> members;
        for (int m = 0; m < kMembers; ++m)
            members.push_back(makeMember(m % 2 ? "relaxation" : "advection", 1.f + m, forecasts + m * kCells, analysis));
        ok(cudaDeviceSynchronize());
        for (auto& m : members) m->warmUp();

        std::vector<cudaEvent_t> predicted(kMembers * kCycles);
        for (auto& e : predicted) ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));

        // The whole window is queued before the first observation comes in.
        for (int c = 0; c < kCycles; ++c) {
            for (int m = 0; m < kMembers; ++m) {
                clock.holdUntil(members[m]->stream(), 2 * c + 1);
                members[m]->predict(c);
                ok(cudaEventRecord(predicted[c * kMembers + m], members[m]->stream()));
            }
            for (int m = 0; m < kMembers; ++m) {
                clock.holdUntil(members[m]->stream(), 2 * c + 2);
                members[m]->correct(c);
            }
        }

        std::vector<float> truth(kMembers, 0.f);
        for (int c = 0; c < kCycles; ++c) {
            clock.advance(2 * c + 1);
            for (int m = 0; m < kMembers; ++m) ok(cudaEventSynchronize(predicted[c * kMembers + m]));
            float mean = 0.f;
            for (int m = 0; m < kMembers; ++m) {
                truth[m] = members[m]->stepOnHost(truth[m], c);
                mean += truth[m] / kMembers;
            }
            for (int i = 0; i < kCells; ++i) {
                float a = 0.f;
                for (int m = 0; m < kMembers; ++m) a += forecasts[m * kCells + i] / kMembers;
                if (std::fabs(a - mean) > 1e-3f) ++wrong;
                analysis[i] = a;
            }
            clock.advance(2 * c + 2);
            for (auto& x : truth) x = 0.5f * (x + mean);
            for (auto& m : members)
                if (c + 1 == kCycles) ok(cudaStreamSynchronize(m->stream()));
        }

        std::vector<float> last(kCells);
        for (int m = 0; m < kMembers; ++m) {
            ok(cudaMemcpy(last.data(), members[m]->state(), kCells * sizeof(float), cudaMemcpyDeviceToHost));
            for (float x : last)
                if (std::fabs(x - truth[m]) > 1e-3f) ++wrong;
        }
        for (auto e : predicted) ok(cudaEventDestroy(e));
    }
    ok(cudaFreeHost(analysis));
    ok(cudaFreeHost(forecasts));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
