// lidar: fuses the sweeps of a sensor into a map; driver API only
#include "kernels.h"
#include "relay.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

long compare(const std::vector<float> &map)
{
    long bad = 0;
    for (int i = 0; i < lidar::kPoints; ++i) {
        float want = 0;
        for (int k = 1; k <= lidar::kFrames; ++k)
            want = want * 0.5f + static_cast<float>((i + k * 7) % 83);
        bad += !(std::fabs(want - map[i]) < 1e-2f);
    }
    return bad;
}

} // namespace

int main()
{
    try {
        drv::Context context;
        drv::Module module(relay_ptx);
        lidar::Relay relay(module);
        std::vector<float> map(lidar::kPoints);

        context.finish();
        relay.rehearse();

        relay.plan_fusion();
        relay.plan_sensor();
        relay.open_gate();
        relay.finish();
        relay.read_map(map.data());

        if (const long bad = compare(map))
            std::printf("WRONG %ld\n", bad);
        else
            std::puts("DONE");
    } catch (const drv::Failed &f) {
        const char *name = "unknown";
        cuGetErrorName(f.code, &name);
        std::printf("ERROR %s\n", name);
    }
    return 0;
}
