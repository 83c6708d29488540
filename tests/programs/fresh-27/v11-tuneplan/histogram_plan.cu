#include <algorithm>

#include "tuneplan.h"

namespace tuneplan {
namespace {

__global__ void countKeys(const int* keys, int count, unsigned* partial, unsigned long long ns) {
    __shared__ unsigned bins[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    for (int i = threadIdx.x; i < count; i += blockDim.x) atomicAdd(&bins[keys[i] % kBins], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) partial[b] = bins[b];
}

__global__ void mergePartials(const unsigned* partials, int parts, unsigned* histogram) {
    unsigned sum = 0;
    for (int p = 0; p < parts; ++p) sum += partials[p * kBins + threadIdx.x];
    histogram[threadIdx.x] = sum;
}

class HistogramPlan final : public Plan {
public:
    explicit HistogramPlan(int lanes) : lanes_(lanes) {
        ensure(cudaMalloc(&partials_, sizeof(unsigned) * kBins * lanes));
        ensure(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        for (Lane& lane : lanes_) {
            ensure(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
            ensure(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming));
        }
    }

    ~HistogramPlan() override {
        for (Lane& lane : lanes_) {
            cudaStreamSynchronize(lane.stream);
            cudaStreamDestroy(lane.stream);
            cudaEventDestroy(lane.done);
        }
        cudaEventDestroy(ready_);
        cudaFree(partials_);
    }

    int lanes() const override { return static_cast<int>(lanes_.size()); }

    void launch(const int* keys, int count, cudaStream_t stream) override {
        ensure(cudaEventRecord(ready_, stream));
        const int share = (count + lanes() - 1) / lanes();
        for (int l = 0; l < lanes(); ++l) {
            const int first = std::min(count, l * share);
            const int size = std::min(share, count - first);
            ensure(cudaStreamWaitEvent(lanes_[l].stream, ready_, 0));
            countKeys<<<1, 256, 0, lanes_[l].stream>>>(keys + first, size, partials_ + l * kBins,
                                                       size * kNsPerKey);
            ensure(cudaGetLastError());
            ensure(cudaEventRecord(lanes_[l].done, lanes_[l].stream));
        }
    }

    void finish(unsigned* histogram, cudaStream_t stream) override {
        for (Lane& lane : lanes_) ensure(cudaStreamWaitEvent(stream, lane.done, 0));
        mergePartials<<<1, kBins, 0, stream>>>(partials_, lanes(), histogram);
        ensure(cudaGetLastError());
    }

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        cudaEvent_t done = nullptr;
    };
    static constexpr unsigned long long kNsPerKey = 1200;

    std::vector<Lane> lanes_;
    cudaEvent_t ready_ = nullptr;
    unsigned* partials_ = nullptr;
};

}  // namespace

std::unique_ptr<Plan> makeHistogramPlan(int lanes) {
    if (lanes < 1) throw PlanError(cudaErrorInvalidValue);
    return std::make_unique<HistogramPlan>(lanes);
}

}  // namespace tuneplan
