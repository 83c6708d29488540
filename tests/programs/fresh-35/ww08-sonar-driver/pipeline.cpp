#include "sonar.h"

Pipeline::Pipeline(const Config& cfg, const Module& mod) : cfg_(cfg), mod_(mod)
{
    if (cfg_.lanes > kMaxLanes) drvFail(CUDA_ERROR_INVALID_VALUE);
    for (unsigned l = 0; l < cfg_.lanes; ++l) DRV(cuStreamCreate(&lanes_[l], CU_STREAM_NON_BLOCKING));
    const size_t ringBytes = size_t(cfg_.ring) * cfg_.cells * sizeof(unsigned);
    DRV(cuMemAlloc(&raw_, ringBytes));
    DRV(cuMemAlloc(&beams_, ringBytes));
    DRV(cuMemAlloc(&peaks_, cfg_.pings * sizeof(unsigned)));
    DRV(cuMemAlloc(&done_, kStageCount * sizeof(unsigned)));
    DRV(cuMemsetD32(peaks_, 0, cfg_.pings));
    DRV(cuMemsetD32(done_, 0, kStageCount));
    DRV(cuCtxSynchronize());
}

Pipeline::~Pipeline()
{
    for (CUdeviceptr p : {done_, peaks_, beams_, raw_}) cuMemFree(p);
    for (unsigned l = 0; l < cfg_.lanes; ++l) cuStreamDestroy(lanes_[l]);
}

CUdeviceptr Pipeline::slot(CUdeviceptr ring, unsigned ping) const
{
    return ring + size_t(ping % cfg_.ring) * cfg_.cells * sizeof(unsigned);
}

// Input of the stage is there; for the first stage, its slot of the ring has been consumed.
void Pipeline::await(unsigned stage, unsigned ping)
{
    if (stage != kIngest)
        DRV(cuStreamWaitValue32(lane(stage), done(stage - 1), ping + 1, CU_STREAM_WAIT_VALUE_GEQ));
    else if (ping >= cfg_.ring)
        DRV(cuStreamWaitValue32(lane(stage), done(kDetect), ping + 1 - cfg_.ring,
                                CU_STREAM_WAIT_VALUE_GEQ));
}

void Pipeline::launch(unsigned stage, unsigned ping)
{
    CUdeviceptr out = 0, in = 0;
    switch (stage) {
    case kIngest: out = slot(raw_, ping); break;
    case kBeamform: out = slot(beams_, ping), in = slot(raw_, ping); break;
    case kDetect: out = peaks_, in = slot(beams_, ping); break;
    }
    void* args[] = {&out, &in, &ping, &cfg_.cells, &cfg_.stageNs};
    const unsigned block = 256;
    DRV(cuLaunchKernel(mod_.stage[stage], (cfg_.cells + block - 1) / block, 1, 1, block, 1, 1, 0,
                       lane(stage), args, nullptr));
}

void Pipeline::publish(unsigned stage, unsigned ping)
{
    DRV(cuStreamWriteValue32(lane(stage), done(stage), ping + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

void Pipeline::issue(unsigned stage, unsigned ping)
{
    await(stage, ping);
    launch(stage, ping);
    publish(stage, ping);
}

void Pipeline::process()
{
    const unsigned ticks = cfg_.pings + cfg_.lag[kDetect];
    for (unsigned tick = 0; tick < ticks; ++tick)
        for (unsigned stage = 0; stage < kStageCount; ++stage) {
            if (tick < cfg_.lag[stage]) continue;
            const unsigned ping = tick - cfg_.lag[stage];
            if (ping < cfg_.pings) issue(stage, ping);
        }
    for (unsigned l = 0; l < cfg_.lanes; ++l) DRV(cuStreamSynchronize(lanes_[l]));
}

void Pipeline::peaks(unsigned* out) const
{
    DRV(cuMemcpyDtoH(out, peaks_, cfg_.pings * sizeof(unsigned)));
}
