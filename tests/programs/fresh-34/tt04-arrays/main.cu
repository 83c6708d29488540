// oscillators: compares the device integration with the same on the host
#include "model.cuh"

#include <cmath>
#include <cstdio>

namespace {

constexpr int   kCount = 1 << 16;
constexpr int   kSteps = 8;
constexpr float kDt = 0.25f;

struct Host {
    std::vector<float> x, v;

    void step(float dt)
    {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float force = x[i] * -0.5f - v[i] * 0.125f;
            v[i] = v[i] + force * dt;
            x[i] = x[i] + v[i] * dt;
        }
    }
};

Host initial()
{
    Host h;
    for (int i = 0; i < kCount; ++i) {
        h.x.push_back(static_cast<float>(i % 101) * 0.03f - 1.0f);
        h.v.push_back(static_cast<float>(i % 37) * 0.01f);
    }
    return h;
}

long differ(const std::vector<float> &a, const std::vector<float> &b)
{
    long bad = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        bad += !(std::fabs(a[i] - b[i]) < 1e-4f);
    return bad;
}

} // namespace

int main()
try {
    da::Queue time, side;
    Host h = initial();

    long bad = 0;
    {
        model::State s{da::Array::of(time, h.x), da::Array::of(time, h.v)};
        for (int i = 0; i < kSteps; ++i) {
            model::step(s, side, kDt);
            h.step(kDt);
        }
        bad = differ(s.x.host(), h.x) + differ(s.v.host(), h.v);
    }

    if (bad)
        std::printf("WRONG %ld\n", bad);
    else
        std::puts("DONE");
    return 0;
} catch (const da::error &e) {
    std::printf("ERROR %s\n", e.what());
    return 0;
}
