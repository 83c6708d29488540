#include "field.hpp"

#include <functional>

using namespace fields;

namespace {

constexpr int kCells = 1 << 14;

std::vector<float> make(const std::function<float(int)>& f) {
    std::vector<float> v(kCells);
    for (int i = 0; i < kCells; ++i) v[i] = f(i);
    return v;
}

int differ(const Field& f, const std::function<float(int)>& expect) {
    const auto v = f.values();
    int n = 0;
    for (int i = 0; i < kCells; ++i) n += v[i] != expect(i);
    return n;
}

struct Lanes {
    cudaStream_t pressure, velocity;
    Lanes() {
        verify(cudaStreamCreateWithFlags(&pressure, cudaStreamNonBlocking));
        verify(cudaStreamCreateWithFlags(&velocity, cudaStreamNonBlocking));
    }
    ~Lanes() {
        cudaStreamDestroy(pressure);
        cudaStreamDestroy(velocity);
    }
};

}  // namespace

int main() {
    verify(cudaSetDevice(0));
    BlockPool pool(kCells, 24);
    Lanes lanes;

    auto pa = [](int i) { return float(i % 97); };
    auto pb = [](int i) { return float(i % 13 + 5); };
    auto ua = [](int i) { return float(i % 31 + 1000); };
    auto ub = [](int i) { return float(i % 7 + 2000); };
    const Field p0(pool, make(pa)), p1(pool, make(pb));
    const Field u0(pool, make(ua)), u1(pool, make(ub));
    verify(cudaDeviceSynchronize());

    Field pressure = [&] {
        StreamScope in(lanes.pressure);
        return relax(p0 + 2.0f * p1, 60);
    }();

    Field velocity = [&] {
        StreamScope in(lanes.velocity);
        return 0.5f * (u0 + u1) + u1;
    }();

    verify(cudaDeviceSynchronize());

    auto s = [&](int i) { return pa(i) + 2.0f * pb(i); };
    int wrong = differ(pressure, [&](int i) { return s(i) + s((i + 1) % kCells); });
    wrong += differ(velocity, [&](int i) { return 0.5f * (ua(i) + ub(i)) + ub(i); });

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
