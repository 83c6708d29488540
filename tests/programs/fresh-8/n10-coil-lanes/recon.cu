#include "recon.h"

namespace {

__device__ unsigned long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void gridding(float* v, int n, unsigned long long budget) {
    const unsigned long long t0 = nanos();
    while (nanos() - t0 < budget) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        v[i] = 2.0f * v[i] + 1.0f;
}

}  // namespace

float coilSample(int coil, std::size_t i) { return static_cast<float>((i + 3 * coil) % 19); }

Reconstruction::Reconstruction(std::pmr::memory_resource* mr, int lanes, std::size_t voxels)
    : voxels_(voxels), lanes_(lanes, Lane(mr, voxels)) {
    for (Lane& l : lanes_) {
        require(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
        require(cudaEventCreateWithFlags(&l.done, cudaEventDisableTiming));
        require(cudaMalloc(&l.dev, voxels * sizeof(float)));
    }
}

Reconstruction::~Reconstruction() {
    for (Lane& l : lanes_) {
        cudaStreamSynchronize(l.stream);
        cudaFree(l.dev);
        cudaEventDestroy(l.done);
        cudaStreamDestroy(l.stream);
    }
}

void Reconstruction::start(Lane& l, int coil) {
    const std::size_t bytes = voxels_ * sizeof(float);
    float* k = l.kspace.data();
    for (std::size_t i = 0; i < voxels_; ++i) k[i] = coilSample(coil, i);

    require(cudaMemcpyAsync(l.dev, l.kspace.data(), bytes, cudaMemcpyHostToDevice, l.stream));
    gridding<<<16, 128, 0, l.stream>>>(l.dev, static_cast<int>(voxels_), 40'000'000ull);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(l.image.data(), l.dev, bytes, cudaMemcpyDeviceToHost, l.stream));
    require(cudaEventRecord(l.done, l.stream));
    l.coil = coil;
}

void Reconstruction::collect(Lane& l, std::vector<double>& sum) {
    if (l.coil < 0) return;
    require(cudaEventSynchronize(l.done));
    const float* v = l.image.data();
    double* s = sum.data();
    for (std::size_t i = 0; i < voxels_; ++i) s[i] += v[i];
    l.coil = -1;
}

std::vector<double> Reconstruction::run(int first, int count) {
    std::vector<double> sum(voxels_, 0.0);
    for (int c = 0; c < count; ++c) {
        Lane& l = lanes_[c % lanes_.size()];
        collect(l, sum);
        start(l, first + c);
    }
    for (Lane& l : lanes_) collect(l, sum);
    return sum;
}
