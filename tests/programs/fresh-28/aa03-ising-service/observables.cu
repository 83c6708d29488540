#include "observables.h"

namespace {

__constant__ uint32_t kCoupling[8] = {3, 5, 11, 17, 31, 41, 59, 67};

__global__ void measure_kernel(const uint32_t* cells, int n, Sample* partial) {
    __shared__ unsigned long long energy[256];
    __shared__ unsigned long long moment[256];
    unsigned long long e = 0, m = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        e += static_cast<unsigned long long>(cells[i]) * kCoupling[i & 7];
        m += __popc(cells[i]);
    }
    energy[threadIdx.x] = e;
    moment[threadIdx.x] = m;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            energy[threadIdx.x] += energy[threadIdx.x + half];
            moment[threadIdx.x] += moment[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x].energy = energy[0];
        partial[blockIdx.x].moment = moment[0];
    }
}

}  // namespace

Observables::Observables() {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaMalloc(&device_, sizeof(Sample) * kBlocks));
    must(cudaMallocHost(&host_, sizeof(Sample) * kBlocks));
}

Observables::~Observables() {
    cudaFreeHost(host_);
    cudaFree(device_);
    cudaStreamDestroy(stream_);
}

Sample Observables::measure(const uint32_t* cells, int n) {
    measure_kernel<<<kBlocks, 256, 0, stream_>>>(cells, n, device_);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(host_, device_, sizeof(Sample) * kBlocks, cudaMemcpyDeviceToHost, stream_));
    must(cudaStreamSynchronize(stream_));
    Sample total;
    for (int i = 0; i < kBlocks; ++i) {
        total.energy += host_[i].energy;
        total.moment += host_[i].moment;
    }
    return total;
}
