#pragma once
#include <cuda.h>
#include <cstdint>

// A device, one module and two queues; everything through the driver API.
struct machine {
    CUdevice dev;
    CUcontext ctx;
    CUmodule module;
    CUfunction relax;
    CUstream queue[2];
    CUevent begin, end, side;
};

struct field {
    CUdeviceptr data;
    unsigned cells;
};

extern const char *const kRelaxPtx;

CUresult machine_open(machine *m);
CUresult machine_close(machine *m);
CUresult field_open(field *f, unsigned cells);
CUresult field_close(field *f);
CUresult relax_enqueue(machine *m, int queue, const field *f, uint64_t ns, float add);

#define DRV(call)                    \
    do {                             \
        CUresult drv_r = (call);     \
        if (drv_r != CUDA_SUCCESS)   \
            return drv_r;            \
    } while (0)
