#include "lanes.h"
#include <new>
#include <vector>

struct lane_set {
    CUdevice dev = 0;
    CUcontext ctx = nullptr;
    std::vector<CUstream> lanes;
    std::size_t next = 0;
    CUdeviceptr tickets = 0;
    int ticket_count = 0;
};

CUresult lanes_open(const lane_config *cfg, lane_set **out)
{
    lane_set *ls = new (std::nothrow) lane_set;
    if (!ls)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CU_TRY(cuInit(0));
    CU_TRY(cuDeviceGet(&ls->dev, 0));
    CU_TRY(cuDevicePrimaryCtxRetain(&ls->ctx, ls->dev));
    CU_TRY(cuCtxSetCurrent(ls->ctx));
    for (int i = 0; i < cfg->lanes; ++i) {
        CUstream s;
        CU_TRY(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
        ls->lanes.push_back(s);
    }
    ls->ticket_count = cfg->tickets;
    CU_TRY(cuMemAlloc(&ls->tickets, sizeof(uint32_t) * cfg->tickets));
    CU_TRY(cuMemsetD32(ls->tickets, 0, cfg->tickets));
    CU_TRY(cuCtxSynchronize());
    *out = ls;
    return CUDA_SUCCESS;
}

CUresult lanes_close(lane_set *ls)
{
    for (CUstream s : ls->lanes)
        CU_TRY(cuStreamDestroy(s));
    CU_TRY(cuMemFree(ls->tickets));
    CU_TRY(cuDevicePrimaryCtxRelease(ls->dev));
    delete ls;
    return CUDA_SUCCESS;
}

CUstream lanes_acquire(lane_set *ls)
{
    CUstream s = ls->lanes[ls->next % ls->lanes.size()];
    ls->next++;
    return s;
}

CUresult lanes_await(lane_set *ls, CUstream lane, int ticket, uint32_t value)
{
    if (ticket < 0 || ticket >= ls->ticket_count)
        return CUDA_ERROR_INVALID_VALUE;
    return cuStreamWaitValue32(lane, ls->tickets + sizeof(uint32_t) * ticket, value,
                               CU_STREAM_WAIT_VALUE_GEQ);
}

CUresult lanes_signal(lane_set *ls, CUstream lane, int ticket, uint32_t value)
{
    if (ticket < 0 || ticket >= ls->ticket_count)
        return CUDA_ERROR_INVALID_VALUE;
    return cuStreamWriteValue32(lane, ls->tickets + sizeof(uint32_t) * ticket, value,
                                CU_STREAM_WRITE_VALUE_DEFAULT);
}

CUresult lanes_drain(lane_set *ls)
{
    for (CUstream s : ls->lanes)
        CU_TRY(cuStreamSynchronize(s));
    return CUDA_SUCCESS;
}
