#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using Shard = std::shared_ptr<std::uint32_t>;

// Owns the pinned shards of a checkpoint and a thread that digests them. A
// shard is lent out by borrow() and comes back when it has been written.
class CheckpointWriter {
public:
    CheckpointWriter(std::vector<Shard> shards, std::size_t words);
    ~CheckpointWriter();
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    Shard borrow();
    void submit(Shard shard, int step);
    std::map<int, std::uint64_t> drain(std::size_t steps);

private:
    struct Job {
        Shard shard;
        int step;
    };
    void loop();

    const std::size_t words_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Shard> spare_;
    std::deque<Job> jobs_;
    std::map<int, std::uint64_t> digests_;
    bool closing_ = false;
    std::thread thread_;
};

std::uint64_t digest(const std::uint32_t* words, std::size_t n);
