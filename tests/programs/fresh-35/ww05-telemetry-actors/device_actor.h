#pragma once
#include "actor.h"
#include <cuda_runtime.h>
#include <vector>

constexpr int kBatches = 24;
constexpr int kBatchSize = 4096;
constexpr int kPageBatches = 8;      // the archive closes a page every eight batches
constexpr std::size_t kMailbox = 4;

struct Totals {
    unsigned long long sum;
    unsigned peak;
    unsigned count;
};

// Messages.
struct Feed { int batch; };                     // negative: stop
struct Reduced { int batch; unsigned peak; };

void ensure(cudaError_t e);
unsigned sample(int batch, int i);

class DeviceActor : public actors::Actor<Feed> {
public:
    explicit DeviceActor(actors::Actor<Reduced>& archive);
    ~DeviceActor() override;

    // Running totals up to and including the given batch.
    Totals totals(int batch);

protected:
    bool receive(Feed& m) override;

private:
    struct Delivery { actors::Actor<Reduced>* to; const unsigned* peak; int batch; };
    static void CUDART_CB deliver(void* p);

    cudaStream_t stream_ = nullptr;
    unsigned *samples_ = nullptr, *peaks_ = nullptr, *hostPeaks_ = nullptr;
    Totals *totals_ = nullptr, *page_ = nullptr;
    std::vector<Delivery> deliveries_;
};
