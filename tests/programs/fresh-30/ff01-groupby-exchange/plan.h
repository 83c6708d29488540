#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#define Q_CUDA(call)                                                  \
    do {                                                              \
        const cudaError_t status_ = (call);                           \
        if (status_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));     \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

namespace query {
using Key = std::uint32_t;
using Sum = unsigned long long;

// sums[key] += value for every row of one chunk.
void partialSums(const Key* keys, const Key* values, int rows, Sum* sums, cudaStream_t stream);
// Packs the non-empty groups of a dense table as (key << 40 | sum).
void packRun(const Sum* dense, int groups, Sum* run, unsigned* count, cudaStream_t stream);

// Bounded hand-over between two stages of a plan.
template <typename T>
class Exchange {
public:
    explicit Exchange(std::size_t depth) : depth_(depth) {}

    void put(T item)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < depth_; });
        items_.push_back(item);
        filled_.notify_one();
    }

    std::optional<T> take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        filled_.wait(lock, [this] { return !items_.empty() || closed_; });
        if (items_.empty()) return std::nullopt;
        const T item = items_.front();
        items_.pop_front();
        room_.notify_one();
        return item;
    }

    void close()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
        filled_.notify_all();
    }
private:
    std::mutex mutex_;
    std::condition_variable room_, filled_;
    std::deque<T> items_;
    std::size_t depth_;
    bool closed_ = false;
};

struct PlanOptions {
    int chunks = 12;
    int rowsPerChunk = 1 << 16;
    int groups = 768;
    std::size_t exchangeDepth = 2;
    std::size_t spillLimit = 300;  // groups an aggregate may keep in its table
};

struct Columns {
    Key* keys = nullptr;
    Key* values = nullptr;
};

// Common part of everything that owns a stream of the plan.
class DeviceStage {
public:
    DeviceStage() { Q_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    virtual ~DeviceStage() { cudaStreamDestroy(stream_); }
    DeviceStage(const DeviceStage&) = delete;
    DeviceStage& operator=(const DeviceStage&) = delete;

    void settle() { Q_CUDA(cudaStreamSynchronize(stream_)); }
protected:
    cudaStream_t stream_ = nullptr;
};

// Scans the table chunk by chunk and leaves the partial sums of each chunk in its slot of the slab.
class ScanStage : public DeviceStage {
public:
    ScanStage(const PlanOptions& options, const Columns& columns);
    ~ScanStage() override;

    void open();
    std::optional<int> next() { return exchange_.take(); }
    const Sum* partials(int chunk) const { return host_ + std::size_t(chunk) * options_.groups; }
    Sum* slot(int chunk) const { return slab_ + std::size_t(chunk) * options_.groups; }
private:
    struct Ticket {
        ScanStage* stage;
        int chunk;
    };
    static void CUDART_CB announce(void* argument);
    PlanOptions options_;
    Columns columns_;
    Exchange<int> exchange_;
    std::vector<Ticket> tickets_;
    Key* keys_ = nullptr;
    Key* values_ = nullptr;
    Sum* slab_ = nullptr;
    Sum* host_ = nullptr;
};

// Sorted-out groups of an aggregate whose table has grown too large; a run takes over
// the slot of the chunk that was merged last.
class RunStore : public DeviceStage {
public:
    RunStore(const PlanOptions& options, ScanStage& scan);
    ~RunStore() override;

    void spill(int chunk, const std::vector<Sum>& totals);
    void mergeInto(std::vector<Sum>& totals);
private:
    PlanOptions options_;
    ScanStage& scan_;
    std::vector<int> runs_;
    Sum* dense_ = nullptr;
    Sum* staging_ = nullptr;
    unsigned* counts_ = nullptr;
};

class HashAggregate {
public:
    HashAggregate(const PlanOptions& options, ScanStage& child)
        : options_(options), child_(child), store_(options, child), totals_(options.groups, 0)
    {
    }

    void run();
    std::vector<Sum> result()
    {
        store_.mergeInto(totals_);
        return totals_;
    }
private:
    PlanOptions options_;
    ScanStage& child_;
    RunStore store_;
    std::vector<Sum> totals_;
};
}  // namespace query
