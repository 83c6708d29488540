#include "writer.h"

#include <chrono>
#include <utility>

std::uint64_t digest(const std::uint32_t* words, std::size_t n)
{
    std::uint64_t h = 1469598103934665603ull;
    for (std::size_t i = 0; i < n; ++i)
        h = (h ^ words[i]) * 1099511628211ull;
    return h;
}

CheckpointWriter::CheckpointWriter(std::vector<Shard> shards, std::size_t words)
    : words_(words), spare_(std::move(shards)), thread_([this] { loop(); })
{
}

CheckpointWriter::~CheckpointWriter()
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

Shard CheckpointWriter::borrow()
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !spare_.empty(); });
    Shard s = std::move(spare_.back());
    spare_.pop_back();
    return s;
}

void CheckpointWriter::submit(Shard shard, int step)
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back({std::move(shard), step});
    }
    changed_.notify_all();
}

std::map<int, std::uint64_t> CheckpointWriter::drain(std::size_t steps)
{
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return digests_.size() == steps; });
    return digests_;
}

void CheckpointWriter::loop()
{
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
        if (jobs_.empty())
            return;
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(6));
        const std::uint64_t d = digest(job.shard.get(), words_);
        lock.lock();
        digests_[job.step] = d;
        spare_.push_back(std::move(job.shard));
        changed_.notify_all();
    }
}
