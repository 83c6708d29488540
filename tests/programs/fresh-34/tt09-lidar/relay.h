// relay.h - hands sweeps of the sensor to the fusion through a ring of slots
#pragma once

#include "driver.h"

namespace lidar {

constexpr int kPoints = 32768;
constexpr int kSlots = 3;
constexpr int kFrames = 9;

// words of the board on which both lanes post their progress
enum Word : unsigned { Gate = 0, Ready = 1, Credit = 2, Words = 3 };

class Relay {
public:
    explicit Relay(const drv::Module &m)
        : sweep_(m.function("sweep")), fuse_(m.function("fuse")),
          ring_(kSlots * kPoints), map_(kPoints), board_(Words)
    {
    }

    // one launch of each on nothing
    void rehearse()
    {
        acquire(0, 0, 0);
        fuse(0, 0);
        sensor_.finish();
        fusion_.finish();
    }

    void plan_fusion()
    {
        for (int k = 1; k <= kFrames; ++k) {
            fusion_.await(board_.at(Ready), k);
            fuse(k, kPoints);
            fusion_.signal(board_.at(Credit), k);
        }
    }

    void plan_sensor()
    {
        sensor_.await(board_.at(Gate), 1);
        for (int k = 1; k <= kFrames; ++k) {
            if (k > kSlots)
                sensor_.await(board_.at(Credit), k - kSlots);
            acquire(k, kPoints, 6'000'000ull);
            sensor_.signal(board_.at(Ready), k);
        }
    }

    void open_gate() { control_.signal(board_.at(Gate), 1); }

    void finish()
    {
        fusion_.finish();
        sensor_.finish();
        control_.finish();
    }

    void read_map(float *host) { drv::ok(cuMemcpyDtoH(host, map_.at(0), map_.bytes())); }

private:
    CUdeviceptr slot(int k) const { return ring_.at(static_cast<std::size_t>(k % kSlots) * kPoints); }

    void acquire(int k, int n, unsigned long long ns)
    {
        CUdeviceptr s = slot(k);
        sensor_.launch(sweep_, kPoints / 256, 256, {&s, &n, &k, &ns});
    }

    void fuse(int k, int n)
    {
        CUdeviceptr s = slot(k), m = map_.at(0);
        fusion_.launch(fuse_, kPoints / 256, 256, {&s, &m, &n});
    }

    CUfunction  sweep_, fuse_;
    drv::Memory ring_, map_, board_;
    drv::Stream sensor_, fusion_, control_;
};

} // namespace lidar
