// Side-scan sonar processing on the driver API: ingest, beamform, detect.
#pragma once
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#define DRV(call)                                                  \
    do {                                                           \
        const CUresult drv_rc_ = (call);                           \
        if (drv_rc_ != CUDA_SUCCESS) drvFail(drv_rc_);             \
    } while (0)

[[noreturn]] inline void drvFail(CUresult rc)
{
    const char* name = nullptr;
    if (cuGetErrorName(rc, &name) != CUDA_SUCCESS) name = "unknown";
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

enum StageId { kIngest, kBeamform, kDetect, kStageCount };

struct Config {
    unsigned pings;       // frames to process
    unsigned cells;       // range cells of a ping
    unsigned ring;        // slots of the intermediate buffers
    unsigned lanes;       // streams
    unsigned stageNs;     // cost of a stage
    // A stage works this many ticks behind the first.
    unsigned lag[kStageCount];
};

struct Module {
    CUmodule handle = nullptr;
    CUfunction stage[kStageCount] = {};
};

// pipeline.cpp
class Pipeline {
public:
    Pipeline(const Config& cfg, const Module& mod);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;

    void process();
    void peaks(unsigned* out) const;

private:
    CUstream lane(unsigned stage) const { return lanes_[stage % cfg_.lanes]; }
    CUdeviceptr done(unsigned stage) const { return done_ + stage * sizeof(unsigned); }
    CUdeviceptr slot(CUdeviceptr ring, unsigned ping) const;

    void issue(unsigned stage, unsigned ping);
    void await(unsigned stage, unsigned ping);
    void launch(unsigned stage, unsigned ping);
    void publish(unsigned stage, unsigned ping);

    static constexpr unsigned kMaxLanes = 4;
    Config cfg_;
    Module mod_;
    CUstream lanes_[kMaxLanes] = {};
    CUdeviceptr raw_ = 0, beams_ = 0, peaks_ = 0;
    CUdeviceptr done_ = 0;    // pings finished, one counter per stage
};
