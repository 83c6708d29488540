#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace ledger {

inline void ok(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", what);
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct BookOptions {
    int shards = 3;
    int accounts = 4096;
    int days = 6;
    unsigned posting_ms = 12;
    unsigned rollup_ms = 12;
};

using Cents = long long;

struct StreamCloser {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<CUstream_st, StreamCloser>;

enum class Urgency { batch, interactive };
Stream open_stream(Urgency urgency);

// A column of amounts on the device.
class Column {
public:
    explicit Column(int rows);
    ~Column();
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    void clear(cudaStream_t on = nullptr);
    Cents* data() const { return data_; }
    int rows() const { return rows_; }
    std::vector<Cents> download() const;

private:
    Cents* data_ = nullptr;
    int rows_;
};

class Shard {
public:
    Shard(int index, const BookOptions& options);
    void post_day(int day);
    Column& deltas() { return *deltas_; }

private:
    int index_;
    BookOptions options_;
    Stream stream_;
    std::shared_ptr<Column> deltas_;
};

class Rollup {
public:
    Rollup(const BookOptions& options, std::vector<std::unique_ptr<Shard>>& shards);
    void close_day(int day);
    std::vector<Cents> balances() const { return balances_.download(); }
    std::vector<Cents> turnover() const { return turnover_.download(); }

private:
    BookOptions options_;
    std::vector<std::unique_ptr<Shard>>& shards_;
    Stream stream_;
    Column balances_;
    Column turnover_;
    Column day_total_;
};

__host__ __device__ inline Cents movement(int shard, int day, int account) {
    return static_cast<Cents>((account * 31 + shard * 17 + day * 101) % 997) - 300;
}

}  // namespace ledger
