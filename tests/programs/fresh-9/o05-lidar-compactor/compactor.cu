#include "compactor.h"
#include <cub/device/device_select.cuh>

namespace lidar {

Compactor::Compactor(int maxPoints, cudaStream_t stream) : stream_(stream) {
    require(cudaMalloc(&out_, maxPoints * sizeof(Point)));
    require(cudaMalloc(&count_, sizeof(int)));
    require(cub::DeviceSelect::Flagged(nullptr, tempBytes_, static_cast<const Point*>(nullptr),
                                       static_cast<const unsigned char*>(nullptr), out_, count_, maxPoints));
    require(cudaMalloc(&temp_, tempBytes_));
}

Compactor::~Compactor() {
    require(cudaStreamSynchronize(stream_));
    require(cudaFree(temp_));
    require(cudaFree(count_));
    require(cudaFree(out_));
}

void Compactor::select(const Point* in, const unsigned char* keep, int n) {
    require(cub::DeviceSelect::Flagged(temp_, tempBytes_, in, keep, out_, count_, n));
}

}  // namespace lidar
