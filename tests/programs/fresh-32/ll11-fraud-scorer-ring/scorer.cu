#include <functional>
#include <thread>
#include <vector>

#include "ring.h"

namespace fraud {

struct Rule {
    int limit_cents;
    int night_from;
    int salt;
};

__global__ void score(const Transaction* tx, int n, Rule rule, unsigned* flagged, long long spin) {
    const long long t0 = clock64();
    while (clock64() - t0 < spin) {
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Transaction t = tx[i];
    const bool hit = t.cents > rule.limit_cents || (t.hour >= rule.night_from && (t.merchant ^ rule.salt) % 3 == 0);
    if (hit) atomicAdd(flagged, 1u);
}

// Runs any callable once in stream order and disposes of it.
template <class F>
void after(cudaStream_t s, F f) {
    auto job = std::make_unique<std::function<void()>>(std::move(f));
    guard(cudaLaunchHostFunc(
        s,
        [](void* p) {
            std::unique_ptr<std::function<void()>> own(static_cast<std::function<void()>*>(p));
            (*own)();
        },
        job.get()));
    job.release();
}

class Scorer {
public:
    explicit Scorer(int batches) : batches_(batches) {
        guard(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
        guard(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
        guard(cudaMallocAsync(reinterpret_cast<void**>(&flagged_), batches * sizeof(unsigned), compute_));
        guard(cudaMemsetAsync(flagged_, 0, batches * sizeof(unsigned), compute_));
    }
    Scorer(const Scorer&) = delete;
    ~Scorer() {
        guard(cudaFreeAsync(flagged_, compute_));
        guard(cudaStreamSynchronize(copy_));
        guard(cudaStreamSynchronize(compute_));
        cudaStreamDestroy(compute_);
        cudaStreamDestroy(copy_);
    }

    template <class Fill>
    void feed(int index, Fill&& fill) {
        const int slot = ring_.take();
        fill(ring_.at(slot));
        void* dev = nullptr;
        guard(cudaMallocAsync(&dev, kBatch * sizeof(Transaction), copy_));
        guard(cudaMemcpyAsync(dev, ring_.at(slot), kBatch * sizeof(Transaction), cudaMemcpyHostToDevice, copy_));
        after(copy_, [this, slot] { ring_.put(slot); });
        order(copy_, compute_);
        {
            const Rule rule{90'000, 22, index};
            score<<<kBatch / 256, 256, 0, compute_>>>(static_cast<const Transaction*>(dev), kBatch, rule,
                                                      flagged_ + index, 20'000'000ll);
            guard(cudaGetLastError());
        }
        guard(cudaFreeAsync(dev, compute_));
    }

    std::vector<unsigned> totals() {
        std::vector<unsigned> host(batches_);
        guard(cudaMemcpyAsync(host.data(), flagged_, batches_ * sizeof(unsigned), cudaMemcpyDeviceToHost, compute_));
        guard(cudaStreamSynchronize(compute_));
        return host;
    }

private:
    static void order(cudaStream_t first, cudaStream_t then) {
        cudaEvent_t e;
        guard(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        guard(cudaEventRecord(e, first));
        guard(cudaStreamWaitEvent(then, e, 0));
        guard(cudaEventDestroy(e));
    }

    BatchRing ring_;
    int batches_;
    cudaStream_t copy_{}, compute_{};
    unsigned* flagged_ = nullptr;
};

Transaction sample(int batch, int i) {
    return {i % 977, (i * 131 + batch * 7919) % 100'000, (i + batch) % 24, i * 7 + batch};
}

}  // namespace fraud

int main() {
    using namespace fraud;
    constexpr int kBatches = 20;
    std::vector<unsigned> got;
    {
        Scorer scorer(kBatches);
        std::thread feeder([&] {
            for (int b = 0; b < kBatches; ++b)
                scorer.feed(b, [&](Transaction* out) {
                    for (int i = 0; i < kBatch; ++i) out[i] = sample(b, i);
                });
        });
        feeder.join();
        got = scorer.totals();
    }
    int bad = 0;
    for (int b = 0; b < kBatches; ++b) {
        unsigned want = 0;
        for (int i = 0; i < kBatch; ++i) {
            const Transaction t = sample(b, i);
            want += t.cents > 90'000 || (t.hour >= 22 && (t.merchant ^ b) % 3 == 0);
        }
        bad += want != got[b];
    }
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}
