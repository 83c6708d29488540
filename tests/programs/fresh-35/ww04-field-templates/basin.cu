// Groundwater heads of a basin with two aquifers, each advanced on its own lane.

#include "field.cuh"
#include <cmath>
#include <cstdio>

namespace {

constexpr int kCells = 1 << 15;
constexpr int kSteps = 6;
constexpr double kDt = 0.05;
constexpr long long kClosure = 40'000'000;

struct Geology {
    double transmissivity, base, amplitude, recharge;
};
constexpr Geology kUpper{1.5, 100.0, 8.0, 0.75};
constexpr Geology kLower{0.4, 40.0, 3.0, -0.25};

std::vector<double> initialHead(const Geology& g)
{
    std::vector<double> h(kCells);
    for (int i = 0; i < kCells; ++i) h[i] = g.base + g.amplitude * std::sin(i * 0.01);
    return h;
}

struct Aquifer {
    Aquifer(const Geology& g, fx::Workspace& ws) : geology(g), head(ws, lane)
    {
        head.upload(initialHead(g));
    }

    void advance(fx::Workspace& ws)
    {
        fx::Field flux(ws, lane);
        flux = geology.transmissivity * (fx::shift<1>(head) - 2.0 * head + fx::shift<-1>(head)) +
               geology.recharge;
        head.assign(head + kDt * flux, kClosure);
    }

    Geology geology;
    fx::Lane lane;
    fx::Field head;
};

std::vector<double> reference(const Geology& g)
{
    std::vector<double> h = initialHead(g), flux(kCells);
    for (int s = 0; s < kSteps; ++s) {
        for (int i = 0; i < kCells; ++i) {
            const double l = h[i > 0 ? i - 1 : 0], r = h[i < kCells - 1 ? i + 1 : kCells - 1];
            flux[i] = g.transmissivity * (r - 2.0 * h[i] + l) + g.recharge;
        }
        for (int i = 0; i < kCells; ++i) h[i] += kDt * flux[i];
    }
    return h;
}

int mismatches(const std::vector<double>& a, const std::vector<double>& b)
{
    int wrong = 0;
    for (int i = 0; i < kCells; ++i) wrong += !(std::fabs(a[i] - b[i]) < 1e-7);
    return wrong;
}

}  // namespace

int main()
try {
    fx::Workspace workspace(kCells, 6);
    Aquifer upper(kUpper, workspace), lower(kLower, workspace);
    for (int s = 0; s < kSteps; ++s)
        for (Aquifer* a : {&upper, &lower}) a->advance(workspace);

    const int wrong = mismatches(upper.head.download(), reference(kUpper)) +
                      mismatches(lower.head.download(), reference(kLower));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::puts("DONE");
    return 0;
} catch (const fx::cuda_error& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
}
