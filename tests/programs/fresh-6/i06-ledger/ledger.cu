#include "ledger.h"

#include <cstdio>
#include <cstdlib>

namespace {

void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

__device__ void settle_delay(unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void apply(const Entry* entries, int n, int* balances, unsigned long long ns) {
    settle_delay(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&balances[entries[i].account], entries[i].cents);
}

// One block per shard; weights make the total depend on which account holds what.
__global__ void close_books(const int* balances, int accounts, long long* totals, unsigned long long ns) {
    settle_delay(ns);
    const int* mine = balances + static_cast<std::size_t>(blockIdx.x) * accounts;
    long long acc = 0;
    for (int i = threadIdx.x; i < accounts; i += blockDim.x) acc += static_cast<long long>(mine[i]) * (i + 1);
    atomicAdd(reinterpret_cast<unsigned long long*>(&totals[blockIdx.x]), static_cast<unsigned long long>(acc));
}

}  // namespace

Ledger::Ledger(int accounts_per_shard, int entries_per_epoch, std::vector<std::string> shards)
    : accounts_(accounts_per_shard), entries_(entries_per_epoch) {
    int index = 0;
    for (auto& name : shards) {
        Shard s;
        s.index = index++;
        must(cudaStreamCreate(&s.stream));
        must(cudaMallocHost(&s.host, entries_ * sizeof(Entry)));
        must(cudaMalloc(&s.dev, entries_ * sizeof(Entry)));
        shard_.emplace(std::move(name), s);
    }
    must(cudaMalloc(&balances_, shard_.size() * accounts_ * sizeof(int)));
    must(cudaMalloc(&totals_, shard_.size() * sizeof(long long)));
}

Ledger::~Ledger() {
    for (auto& [name, s] : shard_) {
        cudaStreamDestroy(s.stream);
        cudaFreeHost(s.host);
        cudaFree(s.dev);
    }
    cudaFree(balances_);
    cudaFree(totals_);
}

std::vector<long long> Ledger::epoch(const Source& source) {
    must(cudaMemset(balances_, 0, shard_.size() * accounts_ * sizeof(int)));
    must(cudaMemset(totals_, 0, shard_.size() * sizeof(long long)));

    for (auto& [name, s] : shard_) {
        for (int i = 0; i < entries_; ++i) s.host[i] = source(s.index, i);
        must(cudaMemcpyAsync(s.dev, s.host, entries_ * sizeof(Entry), cudaMemcpyHostToDevice, s.stream));
        apply<<<4, 256, 0, s.stream>>>(s.dev, entries_, balances_ + static_cast<std::size_t>(s.index) * accounts_,
                                       20'000'000ull);
        must(cudaGetLastError());
    }

    close_books<<<static_cast<unsigned>(shard_.size()), 256>>>(balances_, accounts_, totals_, 10'000'000ull);
    must(cudaGetLastError());

    std::vector<long long> totals(shard_.size());
    must(cudaMemcpy(totals.data(), totals_, totals.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    return totals;
}
