#include <algorithm>

#include "wall.h"

using namespace wall;

namespace {
ShowSpec loadShow() {
    ShowSpec s;
    s.panels = {{"lobby", 0, 4096}, {"stage", 0, 8192}, {"annex", 1, 2048}};
    return s;
}

class Wall {
public:
    explicit Wall(const ShowSpec& spec) : spec_(spec) {
        int id = 0;
        for (const PanelSpec& p : spec_.panels) {
            panels_.push_back(std::make_unique<Panel>(id++, p, spec_, clock_.word()));
            clock_.attach(panels_.back().get());
            reach_ = std::max(reach_, p.latency);
        }
    }

    void play() {
        composeFunction();
        for (int t = 1; t <= spec_.frames + reach_; ++t) {
            clock_.advance(t);
            if (t > spec_.frames) continue;
            for (auto& p : panels_) p->enqueue(t);
        }
        for (auto& p : panels_) p->finish();
        clock_.finish();
    }

    long audit() const {
        long wrong = 0;
        for (auto& p : panels_) {
            const std::vector<Shown> log = p->log();
            for (int f = 1; f <= spec_.frames; ++f) {
                unsigned sum = 0;
                for (int i = 0; i < spec_.panels[p->id()].pixels; ++i)
                    sum += pixelOf(p->id(), f, i);
                const Shown& s = log[f - 1];
                if (s.checksum != sum || s.tick < unsigned(f + p->latency())) ++wrong;
            }
        }
        return wrong;
    }
private:
    ShowSpec spec_;
    HouseClock clock_;
    std::vector<std::unique_ptr<Panel>> panels_;
    int reach_ = 0;
};
}  // namespace

int main() {
    WALL_CU(cuInit(0));
    CUdevice dev;
    CUcontext ctx;
    WALL_CU(cuDeviceGet(&dev, 0));
    WALL_CU(cuDevicePrimaryCtxRetain(&ctx, dev));
    WALL_CU(cuCtxSetCurrent(ctx));
    long wrong = 0;
    {
        Wall w(loadShow());
        w.play();
        wrong = w.audit();
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    cuDevicePrimaryCtxRelease(dev);
    return 0;
}
