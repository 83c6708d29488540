#include "stages.cuh"

namespace roadview {

__global__ void applyTable(const unsigned char* in, const int* table, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCells) out[i] = table[in[i]];
}

__global__ void fuse(const int* toned, const int* ranged, const int* weight, int* occupancy) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCells) occupancy[i] = toned[i] * weight[i & 255] + ranged[i];
}

void CameraStage::enqueue(cudaStream_t lane, HostArena& arena) {
    sendTable(lane, arena, toneAt);
    require(cudaMemcpyAsync(world_.camera, sensors_.camera, kCells, cudaMemcpyHostToDevice, lane));
    applyTable<<<kCells / 256, 256, 0, lane>>>(world_.camera, table_, world_.toned);
    require(cudaGetLastError());
}

void LidarStage::enqueue(cudaStream_t lane, HostArena& arena) {
    sendTable(lane, arena, gainAt);
    require(cudaMemcpyAsync(world_.lidar, sensors_.lidar, kCells, cudaMemcpyHostToDevice, lane));
    applyTable<<<kCells / 256, 256, 0, lane>>>(world_.lidar, table_, world_.ranged);
    require(cudaGetLastError());
}

void FusionStage::enqueue(cudaStream_t lane, HostArena& arena) {
    sendTable(lane, arena, weightAt);
    fuse<<<kCells / 256, 256, 0, lane>>>(world_.toned, world_.ranged, table_, world_.occupancy);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(published_, world_.occupancy, kCells * sizeof(int), cudaMemcpyDeviceToHost, lane));
}

}  // namespace roadview
