// ticks: sums the traded volume per instrument of a stream of market data blocks
#include "pool.h"

#include <cstdio>
#include <vector>

namespace {

using namespace ticks;

constexpr int kInstruments = 64;
constexpr int kBatches = 10;

__global__ void accumulate(const Tick *t, int n, unsigned *volume, unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&volume[t[i].instrument], t[i].volume);
}

// the feed; deterministic, so that the sums are known
class Feed {
public:
    void read(int batch, Tick *out) const
    {
        for (int i = 0; i < kTicksPerBlock; ++i)
            out[i] = at(batch, i);
    }
    static Tick at(int batch, int i)
    {
        return {static_cast<unsigned>((i + batch) % kInstruments),
                static_cast<unsigned>(1 + batch * 5 + i % 3)};
    }
};

class Ingest {
public:
    Ingest() : host_(3), device_(4)
    {
        fatal_if(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        const std::size_t bytes = kBatches * kInstruments * sizeof(unsigned);
        fatal_if(cudaMalloc(&volume_, bytes));
        fatal_if(cudaMemsetAsync(volume_, 0, bytes, stream_));
    }
    ~Ingest()
    {
        cudaStreamSynchronize(stream_);
        cudaFree(volume_);
        cudaStreamDestroy(stream_);
    }
    Ingest(const Ingest &) = delete;
    Ingest &operator=(const Ingest &) = delete;

    bool push(const Feed &feed, int batch)
    {
        Lease staging(host_);
        if (!staging)
            return false;
        feed.read(batch, staging.ticks());

        DeviceBlock *d = device_.take();
        if (!d)
            return false;
        fatal_if(cudaMemcpyAsync(d->ticks, staging.ticks(), kBlockBytes,
                                 cudaMemcpyHostToDevice, stream_));
        accumulate<<<16, 256, 0, stream_>>>(d->ticks, kTicksPerBlock,
                                            volume_ + batch * kInstruments, 25'000'000ull);
        fatal_if(cudaGetLastError());
        device_.give(d, stream_);
        return true;
    }

    std::vector<unsigned> totals()
    {
        std::vector<unsigned> v(kBatches * kInstruments);
        fatal_if(cudaStreamSynchronize(stream_));
        fatal_if(cudaMemcpy(v.data(), volume_, v.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        return v;
    }

private:
    HostPool     host_;
    DevicePool   device_;
    cudaStream_t stream_{};
    unsigned    *volume_{};
};

} // namespace

int main()
{
    Feed feed;
    Ingest ingest;

    for (int b = 0; b < kBatches; ++b)
        if (!ingest.push(feed, b)) {
            std::printf("ERROR pool\n");
            return 0;
        }

    const auto got = ingest.totals();
    std::vector<unsigned> want(kBatches * kInstruments);
    for (int b = 0; b < kBatches; ++b)
        for (int i = 0; i < kTicksPerBlock; ++i) {
            const Tick t = Feed::at(b, i);
            want[b * kInstruments + t.instrument] += t.volume;
        }

    long bad = 0;
    for (std::size_t i = 0; i < want.size(); ++i)
        bad += want[i] != got[i];

    if (bad)
        std::printf("WRONG %ld\n", bad);
    else
        std::puts("DONE");
    return 0;
}
