#include "device_actor.h"
#include <cstdio>
#include <cstdlib>

void ensure(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kDwellNs = 10'000'000ull;
__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void reduceBatch(const unsigned* samples, int n, const Totals* before, Totals* after,
                            unsigned* peak, unsigned long long dwell)
{
    __shared__ unsigned long long sums[kThreads];
    __shared__ unsigned peaks[kThreads];
    const unsigned long long t0 = now();
    while (now() - t0 < dwell) {}

    unsigned long long s = 0;
    unsigned p = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s += samples[i];
        p = max(p, samples[i]);
    }
    sums[threadIdx.x] = s;
    peaks[threadIdx.x] = p;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) {
            sums[threadIdx.x] += sums[threadIdx.x + k];
            peaks[threadIdx.x] = max(peaks[threadIdx.x], peaks[threadIdx.x + k]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *peak = peaks[0];
        after->sum = (before ? before->sum : 0) + sums[0];
        after->peak = max(before ? before->peak : 0u, peaks[0]);
        after->count = (before ? before->count : 0) + n;
    }
}

}  // namespace

DeviceActor::DeviceActor(actors::Actor<Reduced>& archive) : Actor(kMailbox)
{
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaMalloc(&samples_, sizeof(unsigned) * kBatches * kBatchSize));
    ensure(cudaMalloc(&totals_, sizeof(Totals) * kBatches));
    ensure(cudaMalloc(&peaks_, sizeof(unsigned) * kBatches));
    ensure(cudaMallocHost(&hostPeaks_, sizeof(unsigned) * kBatches));
    ensure(cudaMallocHost(&page_, sizeof(Totals)));

    std::vector<unsigned> all;
    for (int b = 0; b < kBatches; ++b) {
        for (int i = 0; i < kBatchSize; ++i) all.push_back(sample(b, i));
        deliveries_.push_back({&archive, hostPeaks_ + b, b});
    }
    ensure(cudaMemcpy(samples_, all.data(), sizeof(unsigned) * all.size(), cudaMemcpyHostToDevice));
    ensure(cudaDeviceSynchronize());
}

DeviceActor::~DeviceActor()
{
    cudaFreeHost(page_), cudaFreeHost(hostPeaks_);
    cudaFree(peaks_), cudaFree(samples_), cudaFree(totals_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB DeviceActor::deliver(void* p)
{
    auto* d = static_cast<Delivery*>(p);
    d->to->tell({d->batch, *d->peak});
}

bool DeviceActor::receive(Feed& m)
{
    if (m.batch < 0) {
        ensure(cudaStreamSynchronize(stream_));
        return false;
    }
    const int b = m.batch;
    reduceBatch<<<1, kThreads, 0, stream_>>>(samples_ + b * kBatchSize, kBatchSize,
                                             b ? totals_ + b - 1 : nullptr, totals_ + b,
                                             peaks_ + b, kDwellNs);
    ensure(cudaGetLastError());
    ensure(cudaMemcpyAsync(hostPeaks_ + b, peaks_ + b, sizeof(unsigned),
                           cudaMemcpyDeviceToHost, stream_));
    ensure(cudaLaunchHostFunc(stream_, deliver, &deliveries_[b]));
    return true;
}

Totals DeviceActor::totals(int batch)
{
    ensure(cudaMemcpyAsync(page_, totals_ + batch, sizeof(Totals), cudaMemcpyDeviceToHost, stream_));
    ensure(cudaStreamSynchronize(stream_));
    return *page_;
}
