#pragma once

#include <chrono>

class Stopwatch {
public:
    void start() { begin_ = Clock::now(); }
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_;
};
