#include "camera.h"

#include <cstdio>
#include <memory>

struct RigConfig {
    int cameras = 4;
    unsigned workers = 2;
    int frames = 3;
};

int main() {
    const RigConfig cfg;
    ThreadPool pool(cfg.workers);

    std::vector<std::unique_ptr<Camera>> rig;
    for (int i = 0; i < cfg.cameras; ++i) rig.push_back(std::make_unique<Camera>(i, pool));

    int wrong = 0;
    for (int f = 0; f < cfg.frames; ++f) {
        std::vector<std::future<long long>> sums;
        for (auto& cam : rig) sums.push_back(pool.submit([c = cam.get()] { return c->process(); }));
        for (int i = 0; i < cfg.cameras; ++i) wrong += sums[i].get() != Camera::expected(i);
    }

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
}
