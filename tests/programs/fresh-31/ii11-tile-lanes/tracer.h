#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "lanes.h"
#include "render_config.h"
#include "telemetry.h"

namespace farm {

class Tracer {
public:
    Tracer(const RenderConfig& config, const LaneSet& lanes, Telemetry& telemetry);
    ~Tracer();
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;

    void prime();
    void submit(int tile);
    int check() const;

private:
    void trace(int tile, unsigned ms);

    RenderConfig config_;
    const LaneSet& lanes_;
    Telemetry& telemetry_;
    unsigned* frame_ = nullptr;
};

}  // namespace farm
