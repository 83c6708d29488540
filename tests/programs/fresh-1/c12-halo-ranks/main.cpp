#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "rank.h"

int main() {
    const Domain domain;
    const int total = 2 * domain.cells;
    std::vector<uint32_t> host(total), next(total), got(total);
    for (int i = 0; i < total; ++i) host[i] = i * 2246822519u + 3u;

    {
        std::array<std::unique_ptr<Rank>, 2> ranks;
        for (int id = 0; id < 2; ++id) ranks[id] = std::make_unique<Rank>(domain, id, host.data());

        for (int it = 0; it < domain.sweeps; ++it) {
            for (int id = 0; id < 2; ++id) {
                ranks[id]->sweep(it, *ranks[1 - id]);
                ranks[id]->announce(it);
            }
            for (int id = 0; id < 2; ++id) ranks[id]->await(it, *ranks[1 - id]);
        }
        for (auto& r : ranks) r->drain();
        for (int id = 0; id < 2; ++id) ranks[id]->fetch(got.data() + id * domain.cells);
    }

    for (int it = 0; it < domain.sweeps; ++it) {
        for (int i = 0; i < total; ++i) next[i] = mix(host[(i + total - 1) % total], host[i], host[(i + 1) % total]);
        host.swap(next);
    }
    int wrong = 0;
    for (int i = 0; i < total; ++i) wrong += host[i] != got[i];
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
