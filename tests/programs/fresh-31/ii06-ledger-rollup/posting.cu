#include "ledger.h"

namespace ledger {

namespace {

__device__ void settle_for(unsigned ms) {
    unsigned long long from, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - from < ms * 1000000ull);
}

__global__ void post_movements(Cents* deltas, int accounts, int shard, int day, unsigned ms) {
    settle_for(ms);
    for (int a = blockIdx.x * blockDim.x + threadIdx.x; a < accounts; a += gridDim.x * blockDim.x)
        deltas[a] += movement(shard, day, a);
}

__global__ void accumulate(Cents* balances, Cents* day_total, const Cents* deltas, int accounts, unsigned ms) {
    settle_for(ms);
    for (int a = blockIdx.x * blockDim.x + threadIdx.x; a < accounts; a += gridDim.x * blockDim.x) {
        balances[a] += deltas[a];
        day_total[a] += deltas[a] < 0 ? -deltas[a] : deltas[a];
    }
}

__global__ void keep_maximum(Cents* turnover, const Cents* day_total, int accounts) {
    for (int a = blockIdx.x * blockDim.x + threadIdx.x; a < accounts; a += gridDim.x * blockDim.x)
        if (day_total[a] > turnover[a]) turnover[a] = day_total[a];
}

}  // namespace

Shard::Shard(int index, const BookOptions& options)
    : index_(index),
      options_(options),
      stream_(open_stream(Urgency::batch)),
      deltas_(std::make_shared<Column>(options.accounts)) {}

void Shard::post_day(int day) {
    post_movements<<<8, 128, 0, stream_.get()>>>(deltas_->data(), options_.accounts, index_, day, options_.posting_ms);
    ok(cudaGetLastError(), "posting");
}

Rollup::Rollup(const BookOptions& options, std::vector<std::unique_ptr<Shard>>& shards)
    : options_(options),
      shards_(shards),
      stream_(open_stream(Urgency::interactive)),
      balances_(options.accounts),
      turnover_(options.accounts),
      day_total_(options.accounts) {}

void Rollup::close_day(int) {
    day_total_.clear();
    for (auto& shard : shards_) {
        accumulate<<<8, 128, 0, stream_.get()>>>(balances_.data(), day_total_.data(), shard->deltas().data(),
                                                 options_.accounts, options_.rollup_ms);
        ok(cudaGetLastError(), "accumulate");
    }
    keep_maximum<<<8, 128, 0, stream_.get()>>>(turnover_.data(), day_total_.data(), options_.accounts);
    ok(cudaGetLastError(), "turnover");
    for (auto& shard : shards_) shard->deltas().clear();
}

}  // namespace ledger
