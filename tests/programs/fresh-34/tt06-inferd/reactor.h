// reactor.h - one thread that runs the handlers of the server in order
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace inferd {

class Reactor {
public:
    using Handler = std::function<void()>;

    Reactor() : thread_([this] { loop(); }) {}
    ~Reactor()
    {
        post(nullptr);
        thread_.join();
    }
    Reactor(const Reactor &) = delete;
    Reactor &operator=(const Reactor &) = delete;

    // hands over a handler
    void post(Handler h)
    {
        {
            std::lock_guard<std::mutex> g(m_);
            q_.push_back(std::move(h));
        }
        cv_.notify_one();
    }

    // runs a handler in the order of the reactor
    void invoke(Handler h)
    {
        std::promise<void> ran;
        auto f = ran.get_future();
        post([&] {
            h();
            ran.set_value();
        });
        f.get();
    }

private:
    void loop()
    {
        for (;;) {
            Handler h;
            {
                std::unique_lock<std::mutex> l(m_);
                cv_.wait(l, [this] { return !q_.empty(); });
                h = std::move(q_.front());
                q_.pop_front();
            }
            if (!h)
                return;
            h();
        }
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::deque<Handler> q_;
    std::thread thread_;
};

} // namespace inferd
