#pragma once
/* Asynchronous block reads: submission and completion queues served by a few I/O threads. */
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace aio {

struct Submission {
    std::uint32_t lba;
    void* buffer;
    std::uint32_t tag;
    int attempt;
};

struct Completion {
    Submission request;
    int status; /* 0 or -EIO */
};

template <class T>
class Mailbox {
public:
    void post(const T& v) {
        {
            std::lock_guard<std::mutex> g(m_);
            q_.push(v);
        }
        cv_.notify_one();
    }
    bool take(T& v) {
        std::unique_lock<std::mutex> g(m_);
        cv_.wait(g, [this] { return shut_ || !q_.empty(); });
        if (q_.empty()) return false;
        v = q_.front();
        q_.pop();
        return true;
    }
    void shut() {
        {
            std::lock_guard<std::mutex> g(m_);
            shut_ = true;
        }
        cv_.notify_all();
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::queue<T> q_;
    bool shut_ = false;
};

/* A volume whose blocks are a function of their address; every seventh block needs a second attempt. */
class Volume {
public:
    static constexpr std::uint32_t kWords = 16384;
    static std::uint32_t word(std::uint32_t lba, std::uint32_t i) { return (lba + 1) * 2654435761u + i * 40503u; }

    int read(const Submission& s) const {
        std::this_thread::sleep_for(std::chrono::microseconds(300 + 200 * (s.lba % 3)));
        if (s.lba % 7 == 3 && s.attempt == 0) return -5;
        auto* out = static_cast<std::uint32_t*>(s.buffer);
        for (std::uint32_t i = 0; i < kWords; ++i) out[i] = word(s.lba, i);
        return 0;
    }
};

class Ring {
public:
    Ring(const Volume& v, int threads) {
        for (int i = 0; i < threads; ++i)
            crew_.emplace_back([this, &v] {
                Submission s;
                while (sq_.take(s)) cq_.post({s, v.read(s)});
            });
    }
    ~Ring() {
        sq_.shut();
        for (auto& t : crew_) t.join();
    }
    Ring(const Ring&) = delete;

    void submit(const Submission& s) { sq_.post(s); }
    Completion reap() {
        Completion c{};
        cq_.take(c);
        return c;
    }

private:
    Mailbox<Submission> sq_;
    Mailbox<Completion> cq_;
    std::vector<std::thread> crew_;
};

}  // namespace aio
