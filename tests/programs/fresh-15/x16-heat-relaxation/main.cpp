#include <cstdio>

#include "relax.h"

int main() {
    const heat::Plate plate;
    std::vector<int> cells(static_cast<size_t>(plate.width) * plate.height, 0);
    for (int x = 0; x < plate.width; ++x) cells[x] = 4000000 + 1000 * x;
    for (int y = 0; y < plate.height; ++y) cells[static_cast<size_t>(y) * plate.width] = 2000000;
    for (int i = 0; i < plate.width; i += 37) cells[static_cast<size_t>(500) * plate.width + i] = 9000000;

    const auto outcome = heat::RelaxationBuilder().plate(plate).threads(256).source(cells).solve();
    if (outcome.failure) {
        std::printf("ERROR %s\n", cudaGetErrorName(*outcome.failure));
        return 2;
    }
    const std::vector<int> expected = heat::relaxOnHost(plate, cells);
    long wrong = 0;
    for (size_t i = 0; i < expected.size(); ++i) wrong += expected[i] != outcome.cells[i];
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
