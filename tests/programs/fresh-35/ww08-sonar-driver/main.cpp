#include "sonar.h"
#include "sonar_ptx.h"
#include <algorithm>
#include <vector>

static const Config kConfig = {
    /* pings   */ 16,
    /* cells   */ 8192,
    /* ring    */ 3,
    /* lanes   */ 2,
    /* stageNs */ 4000000,
    /* lag     */ {0, 1, 3},
};

static Module loadModule()
{
    static const char* const names[kStageCount] = {"ingest", "beamform", "detect"};
    Module m;
    DRV(cuModuleLoadData(&m.handle, kSonarPtx));
    for (unsigned s = 0; s < kStageCount; ++s) {
        DRV(cuModuleGetFunction(&m.stage[s], m.handle, names[s]));
        int regs = 0;
        DRV(cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, m.stage[s]));
    }
    return m;
}

static unsigned expectedPeak(unsigned ping)
{
    const auto raw = [ping](unsigned i) { return (ping * 2654435761u + i * 40503u) >> 8; };
    unsigned peak = 0;
    for (unsigned i = 0; i < kConfig.cells; ++i)
        peak = std::max(peak, raw(i) + 3u * raw((i + 1) % kConfig.cells) + ping);
    return peak;
}

int main()
{
    CUdevice device;
    CUcontext context;
    DRV(cuInit(0));
    DRV(cuDeviceGet(&device, 0));
    DRV(cuDevicePrimaryCtxRetain(&context, device));
    DRV(cuCtxSetCurrent(context));

    int wrong = 0;
    const Module module = loadModule();
    {
        Pipeline pipeline(kConfig, module);
        pipeline.process();
        std::vector<unsigned> peaks(kConfig.pings);
        pipeline.peaks(peaks.data());
        for (unsigned p = 0; p < kConfig.pings; ++p) wrong += peaks[p] != expectedPeak(p);
    }
    DRV(cuModuleUnload(module.handle));
    DRV(cuDevicePrimaryCtxRelease(device));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
