#include <cstdio>
#include <cstring>
#include <optional>
#include <queue>
#include <thread>

#include "analyzer.h"

namespace {

// Hand-over of decoded frames between the decoder thread and the service loop.
class FrameQueue {
public:
    void push(va::DecodedFrame frame) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            frames_.push(std::move(frame));
        }
        ready_.notify_one();
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            closed_ = true;
        }
        ready_.notify_all();
    }

    std::optional<va::DecodedFrame> pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !frames_.empty(); });
        if (frames_.empty()) return std::nullopt;
        va::DecodedFrame frame = std::move(frames_.front());
        frames_.pop();
        return frame;
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<va::DecodedFrame> frames_;
    bool closed_ = false;
};

std::uint8_t luma(int frame) { return static_cast<std::uint8_t>(3 + 7 * frame); }

void decode(va::FramePool& pool, FrameQueue& queue, int frames) {
    for (int id = 0; id < frames; ++id) {
        va::DecodedFrame frame;
        frame.id = id;
        frame.lease = pool.acquire();
        std::memset(frame.lease.pixels(), luma(id), pool.frame_bytes());
        queue.push(std::move(frame));
    }
    queue.close();
}

}  // namespace

int main() {
    try {
        va::AnalyzerConfig config;
        const std::size_t frame_bytes = static_cast<std::size_t>(config.width) * config.height;
        va::FramePool pool(2, frame_bytes);
        va::Analyzer analyzer(config);
        FrameQueue queue;

        std::thread decoder([&] { decode(pool, queue, config.max_frames); });
        while (auto frame = queue.pop()) analyzer.submit(std::move(*frame));
        decoder.join();

        const auto energy = analyzer.results();
        int wrong = 0;
        for (int id = 0; id < config.max_frames; ++id)
            if (energy[id] != static_cast<unsigned>(luma(id) * frame_bytes)) ++wrong;
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const va::GpuError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
