#include "reducer.hpp"
#include <cstdio>
#include <cstdlib>

namespace tele {

void ensure(cudaError_t e, std::source_location at)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s:%u\n", at.file_name(), static_cast<unsigned>(at.line()));
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

constexpr int threads = 256;
constexpr unsigned long long dwell_ns = 10'000'000ull;
__device__ unsigned long long now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void reduce_batch(const unsigned* samples, int n, const totals* before, totals* after,
                             unsigned* peak, unsigned long long dwell)
{
    __shared__ unsigned long long sums[threads];
    __shared__ unsigned peaks[threads];
    const auto t0 = now();
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

reducer::reducer(std::span<const unsigned> samples, channel<reduced>& out)
    : out_{out},
      samples_{make_device<unsigned>(samples.size())},
      peaks_{make_device<unsigned>(batches)},
      totals_{make_device<totals>(batches)},
      host_peaks_{make_pinned<unsigned>(batches)},
      host_totals_{make_pinned<totals>(batches)}
{
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int b = 0; b < batches; ++b) deliveries_.push_back({.self = this, .batch = b});
    ensure(cudaMemcpy(samples_.get(), samples.data(), samples.size_bytes(), cudaMemcpyHostToDevice));
    ensure(cudaDeviceSynchronize());
}

reducer::~reducer() { cudaStreamDestroy(stream_); }

void CUDART_CB reducer::deliver(void* p)
{
    const auto [self, b] = *static_cast<delivery*>(p);
    self->out_.push({.batch = b, .peak = self->host_peaks_[b], .so_far = self->host_totals_[b]});
}

void reducer::submit(int b)
{
    reduce_batch<<<1, threads, 0, stream_>>>(samples_.get() + b * batch_size, batch_size,
                                             b ? totals_.get() + b - 1 : nullptr,
                                             totals_.get() + b, peaks_.get() + b, dwell_ns);
    ensure(cudaGetLastError());
    ensure(cudaMemcpyAsync(host_peaks_.get() + b, peaks_.get() + b, sizeof(unsigned),
                           cudaMemcpyDeviceToHost, stream_));
    ensure(cudaMemcpyAsync(host_totals_.get() + b, totals_.get() + b, sizeof(totals),
                           cudaMemcpyDeviceToHost, stream_));
    ensure(cudaLaunchHostFunc(stream_, deliver, &deliveries_[b]));
}

void reducer::drain() { ensure(cudaStreamSynchronize(stream_)); }

}  // namespace tele
