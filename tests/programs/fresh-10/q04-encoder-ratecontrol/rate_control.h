#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include "frame.h"

namespace ve {

// Chooses the quantiser of each frame from its measured activity, on a thread of its own.
class RateControl {
public:
    RateControl();
    ~RateControl();

    void push(const Frame* frame);
    int decision(int number);

    static int choose(int activity) { return 1 + activity % 7; }

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<const Frame*> todo_;
    std::map<int, int> decided_;
    bool closed_ = false;
    std::thread thread_;
};

}  // namespace ve
