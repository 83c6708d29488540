#include <cstdio>
#include <vector>

#include "developer.cuh"

// Writes finished pictures to the recording in order and remembers a digest of each.
class Recording {
public:
    Recording(SlotRing& ring, const Developer& dev, const CameraConfig& cfg)
        : ring_(ring), dev_(dev), cfg_(cfg), digest_(cfg.pictures, 0) {}

    void write(int count) {
        for (int i = 0; i < count; ++i) {
            const Picture p = ring_.nextReady();
            std::uint64_t sum = 0;
            const std::uint32_t* px = dev_.picture(p.slot);
            for (int k = 0; k < cfg_.pixels; ++k) sum = sum * 31u + px[k];
            digest_[p.number] = sum;
            ring_.give(p.slot);
        }
    }

    int mismatches() const {
        int bad = 0;
        for (int n = 0; n < cfg_.pictures; ++n) {
            std::uint64_t sum = 0;
            for (int k = 0; k < cfg_.pixels; ++k) {
                const std::uint32_t raw = (std::uint32_t(n) * 2654435761u) ^ (std::uint32_t(k) * 40503u);
                sum = sum * 31u + (raw * std::uint32_t(cfg_.gain) + 1u);
            }
            bad += sum != digest_[n];
        }
        return bad;
    }

private:
    SlotRing& ring_;
    const Developer& dev_;
    CameraConfig cfg_;
    std::vector<std::uint64_t> digest_;
};

class Shoot {
public:
    explicit Shoot(const CameraConfig& cfg)
        : cfg_(cfg), ring_(cfg.slots), developer_(cfg, ring_), recording_(ring_, developer_, cfg) {}

    int run() {
        for (int n = 0; n < cfg_.pictures; ++n) developer_.submit(n);
        finish();
        return recording_.mismatches();
    }

private:
    void finish() {
        developer_.settle();
        recording_.write(cfg_.pictures);
    }

    CameraConfig cfg_;
    SlotRing ring_;
    Developer developer_;
    Recording recording_;
};

int main() {
    CameraConfig cfg;
    Shoot shoot(cfg);
    const int bad = shoot.run();
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}
