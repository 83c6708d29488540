#include "device.h"

CUresult machine_open(machine *m)
{
    DRV(cuInit(0));
    DRV(cuDeviceGet(&m->dev, 0));
    DRV(cuDevicePrimaryCtxRetain(&m->ctx, m->dev));
    DRV(cuCtxSetCurrent(m->ctx));
    DRV(cuModuleLoadData(&m->module, kRelaxPtx));
    DRV(cuModuleGetFunction(&m->relax, m->module, "relax_sweep"));
    for (CUstream &q : m->queue)
        DRV(cuStreamCreate(&q, CU_STREAM_NON_BLOCKING));
    DRV(cuEventCreate(&m->begin, CU_EVENT_DEFAULT));
    DRV(cuEventCreate(&m->end, CU_EVENT_DEFAULT));
    DRV(cuEventCreate(&m->side, CU_EVENT_DISABLE_TIMING));
    return CUDA_SUCCESS;
}

CUresult machine_close(machine *m)
{
    DRV(cuEventDestroy(m->begin));
    DRV(cuEventDestroy(m->end));
    DRV(cuEventDestroy(m->side));
    for (CUstream q : m->queue)
        DRV(cuStreamDestroy(q));
    DRV(cuModuleUnload(m->module));
    return cuDevicePrimaryCtxRelease(m->dev);
}

CUresult field_open(field *f, unsigned cells)
{
    f->cells = cells;
    DRV(cuMemAlloc(&f->data, sizeof(float) * (size_t)cells));
    DRV(cuMemsetD32(f->data, 0, cells));
    return cuCtxSynchronize();
}

CUresult field_close(field *f) { return cuMemFree(f->data); }

CUresult relax_enqueue(machine *m, int queue, const field *f, uint64_t ns, float add)
{
    CUdeviceptr data = f->data;
    unsigned cells = f->cells;
    void *args[] = {&data, &cells, &ns, &add};
    return cuLaunchKernel(m->relax, (cells + 255) / 256, 1, 1, 256, 1, 1, 0, m->queue[queue], args, nullptr);
}
