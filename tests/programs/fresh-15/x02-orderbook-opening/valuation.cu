#include "valuation.h"

#include <stdexcept>

#include "check.h"

namespace desk {

namespace {

__global__ void ladderMark(const int* depth, int levels, int tick, long long* out) {
    __shared__ long long part[128];
    long long acc = 0;
    for (int i = threadIdx.x; i < levels; i += blockDim.x)
        acc += static_cast<long long>(depth[i]) * (i + 1) * tick;
    part[threadIdx.x] = acc;
    __syncthreads();
    for (int w = 64; w > 0; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

class LadderValuation final : public Valuation {
public:
    explicit LadderValuation(int tick) : tick_(tick) {
        check(cudaMalloc(&result_, sizeof(long long)));
        check(cudaMallocHost(&host_, sizeof(long long)));
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~LadderValuation() override {
        cudaStreamDestroy(stream_);
        cudaFreeHost(host_);
        cudaFree(result_);
    }
    long long mark(const int* depth, int levels) override {
        ladderMark<<<1, 128, 0, stream_>>>(depth, levels, tick_, result_);
        check(cudaGetLastError());
        check(cudaMemcpyAsync(host_, result_, sizeof(long long), cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
        return *host_;
    }

private:
    int tick_;
    long long* result_ = nullptr;
    long long* host_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Valuation> makeValuation(const std::string& model) {
    if (model == "ladder") return std::make_unique<LadderValuation>(1);
    if (model == "ladder-wide") return std::make_unique<LadderValuation>(5);
    throw std::invalid_argument("unknown valuation model " + model);
}

}  // namespace desk
