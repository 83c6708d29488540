#include "risk_book.h"
#include <cub/device/device_radix_sort.cuh>
namespace desk {
namespace {
constexpr unsigned long long kPathNs = 30000000ull;

__device__ unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
    return t;
}

// One block per rung: draw the volatility paths, then weigh the rung with them.
__global__ void weighRungs(const unsigned* strikes, const int* notionals, int count,
                           long long* ladder) {
    __shared__ unsigned long long total;
    if (threadIdx.x == 0) total = 0;
    const unsigned long long begin = nowNs();
    while (nowNs() - begin < kPathNs) {
    }
    __syncthreads();
    const int per = count / kRungs;
    long long mine = 0;
    for (int i = threadIdx.x; i < per; i += blockDim.x) {
        const int at = blockIdx.x * per + i;
        mine += (long long)(strikes[at] & 0xffff) * notionals[at];
    }
    atomicAdd(&total, (unsigned long long)mine);
    __syncthreads();
    if (threadIdx.x == 0) ladder[blockIdx.x] = (long long)total;
}
}  // namespace

RiskBook::RiskBook(std::string underlying, int urgency, ScratchPool& scratch, int capacity)
    : underlying_(std::move(underlying)), urgency_(urgency), scratch_(scratch) {
    DESK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    DESK_CUDA(cudaMalloc(&strikes_, capacity * sizeof(unsigned)));
    DESK_CUDA(cudaMalloc(&notionals_, capacity * sizeof(int)));
    DESK_CUDA(cudaMalloc(&ladder_, kRungs * sizeof(long long)));
}

RiskBook::~RiskBook() {
    cudaStreamSynchronize(stream_);
    cudaFree(ladder_);
    cudaFree(notionals_);
    cudaFree(strikes_);
    cudaStreamDestroy(stream_);
}

void RiskBook::load(const std::vector<Quote>& quotes) {
    std::vector<unsigned> k;
    std::vector<int> n;
    for (const Quote& q : quotes) {
        k.push_back(q.strike);
        n.push_back(q.notional);
    }
    count_ = (int)quotes.size();
    DESK_CUDA(cudaMemcpyAsync(strikes_, k.data(), count_ * sizeof(unsigned),
                              cudaMemcpyHostToDevice, stream_));
    DESK_CUDA(cudaMemcpyAsync(notionals_, n.data(), count_ * sizeof(int),
                              cudaMemcpyHostToDevice, stream_));
    DESK_CUDA(cudaStreamSynchronize(stream_));
}

void RiskBook::reprice() {
    auto lease = scratch_.lease();
    unsigned* strikes = lease.carve<unsigned>(count_);
    int* notionals = lease.carve<int>(count_);
    size_t bytes = lease.left();
    void* temp = lease.carve<char>(bytes);
    DESK_CUDA(cub::DeviceRadixSort::SortPairs(temp, bytes, strikes_, strikes, notionals_, notionals,
                                              count_, 0, 32, stream_));
    weighRungs<<<kRungs, 64, 0, stream_>>>(strikes, notionals, count_, ladder_);
    DESK_CUDA(cudaGetLastError());
}

std::vector<long long> RiskBook::ladder() {
    std::vector<long long> out(kRungs);
    DESK_CUDA(cudaMemcpyAsync(out.data(), ladder_, kRungs * sizeof(long long),
                              cudaMemcpyDeviceToHost, stream_));
    DESK_CUDA(cudaStreamSynchronize(stream_));
    return out;
}
}  // namespace desk
