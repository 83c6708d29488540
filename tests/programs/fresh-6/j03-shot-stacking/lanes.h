#pragma once
#include <cuda.h>
#include <cstddef>
#include <cstdint>

// Execution lanes on top of the driver API: streams handed out in rotation, and
// numbered tickets in device memory by which work on different lanes is ordered.
struct lane_config {
    int lanes = 2;
    int tickets = 16;
};

struct lane_set;

CUresult lanes_open(const lane_config *cfg, lane_set **out);
CUresult lanes_close(lane_set *ls);
CUstream lanes_acquire(lane_set *ls);
CUresult lanes_await(lane_set *ls, CUstream lane, int ticket, uint32_t value);
CUresult lanes_signal(lane_set *ls, CUstream lane, int ticket, uint32_t value);
CUresult lanes_drain(lane_set *ls);

#define CU_TRY(call)                 \
    do {                             \
        CUresult r_ = (call);        \
        if (r_ != CUDA_SUCCESS)      \
            return r_;               \
    } while (0)

// stages.cu
CUresult stage_prepare();
CUresult stage_filter(CUstream lane, CUdeviceptr in, CUdeviceptr out, int n, float gain);
CUresult stage_stack(CUstream lane, CUdeviceptr parts, CUdeviceptr out, int n, int count);
