#include "desk.h"

namespace desk {
namespace {

// Haircuts by liquidity bucket, in basis points.
__constant__ int kHaircuts[8] = {100, 125, 150, 200, 250, 300, 400, 500};
const int kHaircutsHost[8] = {100, 125, 150, 200, 250, 300, 400, 500};

__global__ void weighExposure(const int* positions, Exposure* out) {
    __shared__ long long gross;
    __shared__ long long net;
    if (threadIdx.x == 0) gross = net = 0;
    __syncthreads();
    for (int s = threadIdx.x; s < kSymbols; s += blockDim.x) {
        const long long w = static_cast<long long>(__ldcg(positions + s)) * kHaircuts[s % 8];
        atomicAdd(reinterpret_cast<unsigned long long*>(&net), static_cast<unsigned long long>(w));
        atomicAdd(reinterpret_cast<unsigned long long*>(&gross),
                  static_cast<unsigned long long>(w < 0 ? -w : w));
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = Exposure{gross, net};
}

}  // namespace

int haircutOf(int symbol) { return kHaircutsHost[symbol % 8]; }

RiskDesk::RiskDesk(const Book& book) : positions_(book.positions()), width_(64) {
    DESK_TRY(cudaMalloc(&dev_, sizeof(Exposure)));
    DESK_TRY(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(Exposure)));
    DESK_TRY(cudaStreamCreateWithFlags(&lane_, cudaStreamNonBlocking));
}

RiskDesk::~RiskDesk() {
    cudaStreamDestroy(lane_);
    cudaFreeHost(host_);
    cudaFree(dev_);
}

Exposure RiskDesk::report() {
    weighExposure<<<1, width_, 0, lane_>>>(positions_, dev_);
    DESK_TRY(cudaGetLastError());
    DESK_TRY(cudaMemcpyAsync(host_, dev_, sizeof(Exposure), cudaMemcpyDeviceToHost, lane_));
    DESK_TRY(cudaStreamSynchronize(lane_));
    return *host_;
}

}  // namespace desk
