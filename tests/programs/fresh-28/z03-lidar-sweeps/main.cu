#include <thread>
#include "detector.h"

namespace lidar {

Point makePoint(int seq, int index)
{
    std::uint32_t h = seq * 73856093u ^ index * 19349663u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    const float a = static_cast<float>(h & 0xffff) * 1e-3f;
    return Point{a, 2.f * a, (h & 1u) ? 1.f : -1.f, (h >> 8) & 0xfffu};
}

void sensorLoop(const Config& config, SweepStore& store, BlockingQueue<int>& idle,
                BlockingQueue<Sweep>& filled)
{
    for (int seq = 0; seq < config.sweeps; ++seq) {
        Sweep sweep{seq, idle.pop()};
        Slot& slot = store.slot(sweep);
        check(cudaEventSynchronize(slot.uploaded));
        for (int i = 0; i < config.pointsPerSweep; ++i) slot.points[i] = makePoint(seq, i);
        filled.push(sweep);
    }
}

int verify(const Config& config, const std::vector<unsigned long long>& energy)
{
    int wrong = 0;
    for (int seq = 0; seq < config.sweeps; ++seq) {
        unsigned long long expected = 0;
        for (int i = 0; i < config.pointsPerSweep; ++i) {
            const Point p = makePoint(seq, i);
            if (p.z > 0.f) expected += p.intensity;
        }
        if (energy[seq] != expected) ++wrong;
    }
    return wrong;
}

}  // namespace lidar

int main()
{
    using namespace lidar;
    const Config config;
    SweepStore store(config);
    Detector detector(config);
    BlockingQueue<int> idle;
    BlockingQueue<Sweep> filled;
    for (int s = 0; s < config.hostSlots; ++s) idle.push(s);

    std::thread sensor([&] { sensorLoop(config, store, idle, filled); });
    for (int n = 0; n < config.sweeps; ++n) {
        const Sweep sweep = filled.pop();
        store.upload(sweep);
        detector.process(sweep, store);
        idle.push(sweep.slot);
    }
    sensor.join();

    const int wrong = verify(config, detector.results());
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
