#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include "chart.h"
#include "estuary.cuh"

namespace {

int fail(cudaError_t code) {
    std::printf("ERROR %s\n", cudaGetErrorName(code));
    return 1;
}

cudaError_t reserve(estuary::Fields& f) {
    for (float** field : {&f.discharge, &f.level, &f.salinity, &f.silt}) {
        if (cudaError_t rc = cudaMalloc(field, sizeof(float) * estuary::kReaches)) return rc;
        if (cudaError_t rc = cudaMemset(*field, 0, sizeof(float) * estuary::kReaches)) return rc;
    }
    return cudaDeviceSynchronize();
}

}  // namespace

int main() {
    estuary::Fields fields{};
    if (cudaError_t rc = reserve(fields)) return fail(rc);
    float* silt = nullptr;
    if (cudaError_t rc = cudaMallocHost(&silt, sizeof(float) * estuary::kReaches)) return fail(rc);

    estuary::Tide tide;
    int bad = 0;
    {
        chart::Chart day;
        auto& inflow = day.add("inflow", [&](cudaStream_t s) { estuary::inflow(fields, tide, s); });
        auto& surge = day.add("surge", [&](cudaStream_t s) { estuary::surge(fields, tide, s); });
        auto& mixing = day.add("mixing", [&](cudaStream_t s) { estuary::mixing(fields, tide, s); });
        auto& settling = day.add("settling", [&](cudaStream_t s) { estuary::settling(fields, tide, s); });
        mixing.after(inflow).after(surge);
        settling.after(mixing);

        for (int t = 1; t <= 4; ++t) {
            tide.number = t;
            tide.range = 1.5f + 0.5f * static_cast<float>(t);
            day.run();
            if (day.settle() != chart::Status::fine) return fail(day.fault());
            if (cudaError_t rc = cudaMemcpy(silt, fields.silt, sizeof(float) * estuary::kReaches, cudaMemcpyDeviceToHost))
                return fail(rc);
            for (int r = 0; r < estuary::kReaches; ++r)
                if (!(std::fabs(silt[r] - estuary::expectedSilt(tide, r)) <= 1e-3f)) ++bad;
        }
    }
    for (float* field : {fields.discharge, fields.level, fields.salinity, fields.silt}) cudaFree(field);
    cudaFreeHost(silt);
    if (bad) std::printf("WRONG %d\n", bad);
    else std::printf("DONE\n");
    return 0;
}
