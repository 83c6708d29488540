#include "lattice.cuh"

namespace {

std::vector<std::uint32_t> make_sites(int n) {
    std::vector<std::uint32_t> v(n);
    std::uint32_t s = 2463534242u;
    for (auto& x : v) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        x = s;
    }
    return v;
}

std::vector<std::uint32_t> reference(std::vector<std::uint32_t> v, int steps) {
    const int n = static_cast<int>(v.size());
    std::vector<std::uint32_t> w(n);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i)
            w[i] = lattice::collide(v[(i + n - 1) % n], v[i], v[(i + 1) % n],
                                    static_cast<std::uint32_t>(step));
        v.swap(w);
    }
    return v;
}

}  // namespace

int main() {
    constexpr int kDomains = 4, kCells = 2048, kSteps = 8;
    const auto sites = make_sites(kDomains * kCells);

    lattice::Ring ring(kDomains, kCells, sites);
    ring.run(kSteps);
    const auto got = ring.gather();
    const auto want = reference(sites, kSteps);

    long wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
    std::printf("%d domains, %d steps\n", kDomains, kSteps);
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
