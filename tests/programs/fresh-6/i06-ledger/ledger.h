#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

struct Entry {
    int account;
    int cents;
};

class Ledger {
public:
    Ledger(int accounts_per_shard, int entries_per_epoch, std::vector<std::string> shards);
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    // `source(shard, i)` yields the i-th entry of a shard in this epoch.
    using Source = std::function<Entry(int, int)>;
    std::vector<long long> epoch(const Source& source);

    std::size_t shards() const { return shard_.size(); }

private:
    struct Shard {
        int index = 0;
        cudaStream_t stream{};
        Entry* host = nullptr;
        Entry* dev = nullptr;
    };
    int accounts_;
    int entries_;
    std::map<std::string, Shard> shard_;
    int* balances_ = nullptr;
    long long* totals_ = nullptr;
};
