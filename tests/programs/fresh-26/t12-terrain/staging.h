#pragma once
// Two page-locked trays on which raster tiles travel to the device.
#include "geo.h"
#include <array>

namespace geo {

struct Tray {
    short* heights = nullptr;
    cudaEvent_t carried = nullptr;
};

class Staging {
public:
    Staging() {
        for (auto& t : trays_) {
            GEO(cudaMallocHost(reinterpret_cast<void**>(&t.heights), kTile * sizeof(short)));
            GEO(cudaEventCreateWithFlags(&t.carried, cudaEventDisableTiming));
        }
    }
    ~Staging() {
        for (auto& t : trays_) {
            cudaEventDestroy(t.carried);
            cudaFreeHost(t.heights);
        }
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    Tray& next() {
        Tray& t = trays_[turn_++ % trays_.size()];
        GEO(cudaEventSynchronize(t.carried));
        return t;
    }
    void carry(Tray& t, short* to, cudaStream_t by) {
        GEO(cudaMemcpyAsync(to, t.heights, kTile * sizeof(short), cudaMemcpyHostToDevice, by));
        GEO(cudaEventRecord(t.carried, by));
    }

private:
    std::array<Tray, 2> trays_;
    std::size_t turn_ = 0;
};

}  // namespace geo
