#pragma once
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
#include "staging.h"

struct Tick {
    int price;
    int volume;
};

struct Batch {
    int id = 0;
    std::vector<Tick> ticks;
};

constexpr int kTicksPerBatch = 1 << 16;

// Replays a trading day: workers take batches from the queue and turn each into a turnover.
class Replayer {
public:
    Replayer(int workers, int batches);
    ~Replayer();

    void add(Batch batch) { queue_.push(std::move(batch)); }
    void run();
    long long turnover(int batch) const { return turnover_[batch]; }

private:
    struct Venue {
        cudaStream_t stream = nullptr;
        Tick* ticks = nullptr;
    };

    bool next(Batch& batch);
    void replay(Venue& venue);
    void submit(Venue& venue, const Batch& batch);

    StagingPool staging_;
    std::vector<Venue> venues_;
    std::queue<Batch> queue_;
    std::mutex queueMutex_;
    long long* sums_ = nullptr;
    long long* turnover_ = nullptr;
    int batches_;
};
