#include "writer.h"

#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t kWords = 1u << 18;
constexpr std::size_t kBytes = kWords * sizeof(std::uint32_t);
constexpr int kSteps = 24;
constexpr int kShards = 3;

void must(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

__global__ void optimizer_step(std::uint32_t* weights, std::uint32_t step, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < kWords; i += gridDim.x * blockDim.x)
        weights[i] = weights[i] * 3u + step + static_cast<std::uint32_t>(i);
}

Shard make_shard()
{
    void* p = nullptr;
    must(cudaHostAlloc(&p, kBytes, cudaHostAllocDefault));
    return Shard(static_cast<std::uint32_t*>(p), [](std::uint32_t* q) { cudaFreeHost(q); });
}

struct Delivery {
    CheckpointWriter* writer;
    Shard shard;
    int step;
};

void CUDART_CB deliver(void* raw)
{
    std::unique_ptr<Delivery> d(static_cast<Delivery*>(raw));
    d->writer->submit(std::move(d->shard), d->step);
}

class Trainer {
public:
    explicit Trainer(CheckpointWriter& writer) : writer_(writer)
    {
        must(cudaStreamCreateWithFlags(&train_, cudaStreamNonBlocking));
        must(cudaStreamCreateWithFlags(&offload_, cudaStreamNonBlocking));
        must(cudaMalloc(&weights_, kBytes));
        for (auto& s : snapshots_) {
            must(cudaMalloc(&s.data, kBytes));
            must(cudaEventCreateWithFlags(&s.taken, cudaEventDisableTiming));
            must(cudaEventCreateWithFlags(&s.shipped, cudaEventDisableTiming));
        }
        must(cudaMemsetAsync(weights_, 0, kBytes, train_));
    }

    ~Trainer()
    {
        cudaStreamSynchronize(train_);
        cudaStreamSynchronize(offload_);
        for (auto& s : snapshots_) {
            cudaEventDestroy(s.shipped);
            cudaEventDestroy(s.taken);
            cudaFree(s.data);
        }
        cudaFree(weights_);
        cudaStreamDestroy(offload_);
        cudaStreamDestroy(train_);
    }

    void step(int n)
    {
        optimizer_step<<<16, 256, 0, train_>>>(weights_, static_cast<std::uint32_t>(n), 3000000ull);
        must(cudaGetLastError());
        checkpoint(n);
    }

private:
    struct Snapshot {
        std::uint32_t* data = nullptr;
        cudaEvent_t taken = nullptr;
        cudaEvent_t shipped = nullptr;
    };

    void checkpoint(int n)
    {
        Snapshot& s = snapshots_[n % snapshots_.size()];
        must(cudaStreamWaitEvent(train_, s.shipped, 0));
        must(cudaMemcpyAsync(s.data, weights_, kBytes, cudaMemcpyDeviceToDevice, train_));
        must(cudaEventRecord(s.taken, train_));

        auto d = std::make_unique<Delivery>(Delivery{&writer_, writer_.borrow(), n});
        must(cudaStreamWaitEvent(offload_, s.taken, 0));
        must(cudaMemcpyAsync(d->shard.get(), s.data, kBytes, cudaMemcpyDeviceToHost, offload_));
        must(cudaEventRecord(s.shipped, offload_));
        must(cudaLaunchHostFunc(offload_, deliver, d.get()));
        d.release();
    }

    CheckpointWriter& writer_;
    cudaStream_t train_ = nullptr;
    cudaStream_t offload_ = nullptr;
    std::uint32_t* weights_ = nullptr;
    std::array<Snapshot, 2> snapshots_;
};

} // namespace

int main()
{
    std::vector<Shard> shards;
    for (int i = 0; i < kShards; ++i)
        shards.push_back(make_shard());

    int wrong = 0;
    {
        CheckpointWriter writer(std::move(shards), kWords);
        {
            Trainer trainer(writer);
            for (int n = 0; n < kSteps; ++n)
                trainer.step(n);
        }
        const auto digests = writer.drain(kSteps);

        std::vector<std::uint32_t> w(kWords, 0u);
        for (int n = 0; n < kSteps; ++n) {
            for (std::size_t i = 0; i < kWords; ++i)
                w[i] = w[i] * 3u + static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(i);
            wrong += digests.at(n) != digest(w.data(), kWords);
        }
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
