#pragma once
#include <chrono>

#include "codec.h"

namespace archive {

class Stopwatch {
public:
    void start() { begin_ = Clock::now(); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

struct Throughput {
    int tiles = 0;
    double seconds = 0;
    double tiles_per_second() const { return tiles / seconds; }
};

// Runs a workload to its end and times it; `settle` ends the timed part.
template <class Submit, class Settle>
Throughput measure(int tiles, Submit &&submit, Settle &&settle)
{
    Stopwatch watch;
    watch.start();
    for (int i = 0; i < tiles; ++i) submit(i);
    settle();
    return {tiles, watch.seconds()};
}

} // namespace archive
