// Expected loss of a loan book under stress scenarios, one asynchronous task per shard.
#include "simulate.h"

#include <cstdio>
#include <future>

using namespace mc;

namespace {

constexpr int kShards = 6;
constexpr int kRounds = 3;
constexpr int kPaths = 20000;

std::uint32_t threshold(int round, int shard, int obligor)
{
    return (1u << 24) * std::uint32_t(2 + (round * 5 + shard * 3 + obligor) % 11);
}
std::uint32_t exposure(int obligor) { return 100u + std::uint32_t(obligor * 37 % 250); }

// Exposures of the book; uploaded once, while the first shards are being set up.
class Market {
public:
    Market()
    {
        gpu(cudaMalloc(&exposures_, sizeof(std::uint32_t) * kObligors));
        gpu(cudaMallocHost(&source_, sizeof(std::uint32_t) * kObligors));
        for (int o = 0; o < kObligors; ++o) source_[o] = exposure(o);
        gpu(cudaMemcpyAsync(exposures_, source_, sizeof(std::uint32_t) * kObligors, cudaMemcpyHostToDevice, stream_));
        loaded_.set(stream_);
    }
    ~Market()
    {
        cudaFree(exposures_);
        cudaFreeHost(source_);
    }
    const std::uint32_t* exposures(cudaStream_t reader) const
    {
        loaded_.before(reader);
        return exposures_;
    }

private:
    Stream stream_;
    Milestone loaded_;
    std::uint32_t* exposures_ = nullptr;
    std::uint32_t* source_ = nullptr;
};

// Where the shards leave their totals.
class Ledger {
public:
    explicit Ledger(int entries)
    {
        gpu(cudaMalloc(&device_, sizeof(unsigned long long) * entries));
        gpu(cudaMallocHost(&host_, sizeof(unsigned long long) * entries));
    }
    ~Ledger()
    {
        cudaFree(device_);
        cudaFreeHost(host_);
    }
    unsigned long long* entry(int i) { return device_ + i; }
    void post(int i, cudaStream_t stream)
    {
        gpu(cudaMemcpyAsync(host_ + i, device_ + i, sizeof(*host_), cudaMemcpyDeviceToHost, stream));
    }
    unsigned long long read(int i) const { return host_[i]; }

private:
    unsigned long long* device_ = nullptr;
    unsigned long long* host_ = nullptr;
};

struct Receipt {
    int entry;
    std::unique_ptr<Milestone> posted;
};

Receipt submit(int round, int shard, const Market& market, StagingPool& pool, Ledger& ledger)
{
    Stream stream;
    const int entry = round * kShards + shard;

    void* thresholds = nullptr;
    gpu(cudaMallocAsync(&thresholds, sizeof(Thresholds), stream));
    {
        const std::shared_ptr<std::uint32_t> table = pool.lease();
        for (int o = 0; o < kObligors; ++o) table.get()[o] = threshold(round, shard, o);
        gpu(cudaMemcpyAsync(thresholds, table.get(), sizeof(Thresholds), cudaMemcpyHostToDevice, stream));
        retain(stream, table);
    }
    simulate({std::uint32_t(entry) * 7919u, kPaths}, static_cast<std::uint32_t*>(thresholds),
             market.exposures(stream), ledger.entry(entry), stream);
    gpu(cudaFreeAsync(thresholds, stream));
    ledger.post(entry, stream);

    Receipt receipt{entry, std::make_unique<Milestone>()};
    receipt.posted->set(stream);
    return receipt;
}

unsigned long long reference(int round, int shard)
{
    unsigned long long total = 0;
    const std::uint32_t seed = std::uint32_t(round * kShards + shard) * 7919u;
    for (int path = 0; path < kPaths; ++path)
        for (int o = 0; o < kObligors; ++o)
            if (draw(seed, path, o) < threshold(round, shard, o)) total += exposure(o);
    return total;
}

int run()
{
    StagingPool pool;
    Ledger ledger(kShards * kRounds);
    const Market market;

    std::vector<std::future<Receipt>> shards;
    for (int round = 0; round < kRounds; ++round)
        for (int shard = 0; shard < kShards; ++shard)
            shards.push_back(std::async(std::launch::async, [&, round, shard] {
                return submit(round, shard, market, pool, ledger);
            }));

    int wrong = 0;
    for (std::future<Receipt>& shard : shards) {
        const Receipt receipt = shard.get();
        receipt.posted->reach();
        wrong += ledger.read(receipt.entry) != reference(receipt.entry / kShards, receipt.entry % kShards);
    }
    return wrong;
}

}  // namespace

int main()
{
    try {
        if (const int wrong = run())
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
