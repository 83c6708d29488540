#pragma once
#include <cuda_runtime.h>

struct flow_domain {
    int cells;
    int steps;
    float *inflow;   // device, boundary values of the current step
    float *history;  // device, steps x cells
    cudaStream_t stream;
    cudaEvent_t consumed;
};

cudaError_t flow_create(flow_domain *d, int cells, int steps);
cudaError_t flow_advance(flow_domain *d, int step, cudaEvent_t inflow_ready);
cudaError_t flow_destroy(flow_domain *d);
float flow_boundary(int step, int cell);
float flow_expected(int step, int cell);
