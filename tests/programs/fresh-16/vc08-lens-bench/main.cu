#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>
#include "bench.cuh"

int main() {
    const std::vector<int> spectrum = {436, 486, 546, 588, 656};
    try {
        optics::Bench bench(spectrum.size());
        for (int nm : spectrum) bench.mount(nm);
        for (int pass = 0; pass < 3; ++pass)
            for (int nm : spectrum) bench.expose(nm);
        const std::vector<float> spots = bench.develop();

        int bad = 0;
        for (std::size_t l = 0; l < spectrum.size(); ++l) {
            const optics::Glass glass = optics::glassAt(spectrum[l]);
            for (int ray = 0; ray < optics::kRays; ++ray)
                if (std::fabs(spots[l * optics::kRays + ray] - optics::spotOf(glass, ray)) > 1e-4f) ++bad;
        }
        if (bad) std::printf("WRONG %d\n", bad);
        else std::printf("DONE\n");
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
