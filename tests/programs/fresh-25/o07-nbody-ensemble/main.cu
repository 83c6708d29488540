#include "member.cuh"

#include <chrono>
#include <cmath>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double run(std::vector<Member>& members, int steps) {
    require(cudaDeviceSynchronize());
    const auto t0 = Clock::now();
    for (Member& m : members) integrate(m, steps);
    for (Member& m : members) require(cudaStreamSynchronize(m.stream));
    return std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
}

// Momentum is conserved, so the centre of mass stays at rest.
bool at_rest(const Body* before, const Body* after, int n) {
    double d[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
        if (!std::isfinite(after[i].x)) return false;
        d[0] += after[i].m * (after[i].x - before[i].x);
        d[1] += after[i].m * (after[i].y - before[i].y);
        d[2] += after[i].m * (after[i].z - before[i].z);
    }
    return std::fabs(d[0]) + std::fabs(d[1]) + std::fabs(d[2]) < 1e-4;
}

}  // namespace

int main() {
    constexpr int kMembers = 6, kBodies = 1024, kSteps = 4;

    std::vector<Member> control(1), ensemble(kMembers);
    make_member(control[0], 100, kBodies);
    for (int i = 0; i < kMembers; ++i) make_member(ensemble[i], i, kBodies);

    std::vector<std::vector<Body>> start(kMembers, std::vector<Body>(kBodies));
    for (int i = 0; i < kMembers; ++i)
        require(cudaMemcpy(start[i].data(), ensemble[i].bodies.data(), kBodies * sizeof(Body),
                           cudaMemcpyDeviceToHost));

    run(control, 1);
    const double one = run(control, kSteps);
    const double all = run(ensemble, kSteps);
    std::printf("one member %.1f ms, %d members %.1f ms\n", one, kMembers, all);

    long wrong = 0;
    for (int i = 0; i < kMembers; ++i)
        wrong += !at_rest(start[i].data(), ensemble[i].result, kBodies);

    for (Member& m : control) drop_member(m);
    for (Member& m : ensemble) drop_member(m);

    if (wrong) std::printf("WRONG %ld\n", wrong);
    else if (all > 1.5 * one) std::printf("SLOW %.2f\n", all / one);
    else std::printf("DONE\n");
    return wrong != 0;
}
