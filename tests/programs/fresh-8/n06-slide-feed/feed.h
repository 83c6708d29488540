#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>

namespace slide {

struct Tile {
    int number;
    int side;
    unsigned* texels;      // device
    cudaEvent_t ready;
};

// Hands tiles from the reader thread to the viewer.
class Feed {
public:
    void push(const Tile& t)
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            q_.push(t);
        }
        cv_.notify_one();
    }

    void close()
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            closed_ = true;
        }
        cv_.notify_all();
    }

    std::optional<Tile> next()
    {
        std::unique_lock<std::mutex> lk(m_);
        cv_.wait(lk, [&] { return closed_ || !q_.empty(); });
        if (q_.empty())
            return std::nullopt;
        Tile t = q_.front();
        q_.pop();
        return t;
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<Tile> q_;
    bool closed_ = false;
};

}  // namespace slide
