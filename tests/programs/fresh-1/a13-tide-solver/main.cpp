#include <cstdio>

#include "basin.h"
#include "forcing_loader.h"

int main() {
    constexpr int kCells = 1 << 17;
    constexpr int kSteps = 20;
    try {
        tide::Basin basin(kCells);
        tide::ForcingLoader loader(kCells);

        basin.compile([&loader] { loader.load(3); });
        basin.advance(kSteps);
        loader.load(1);

        int wrong = loader.verify();
        const std::vector<int> h = basin.heights();
        for (int i = 0; i < kCells; ++i) {
            int v = i % 977;
            for (int s = 0; s < kSteps; ++s) v = (v + (v & 0xff) * 3 + 1 - ((v & 0xff) * 2 + 1)) & 0xffff;
            wrong += h[i] != v;
        }
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const tide::TideError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
