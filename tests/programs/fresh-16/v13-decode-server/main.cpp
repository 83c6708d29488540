#include "server.h"

#include <chrono>
#include <cstdio>

int main()
{
    using clock = std::chrono::steady_clock;
    dec::options o;
    dec::server s(o);

    for (int r = 0; r < o.lanes; ++r) {
        s.submit(r);
        s.drain();
    }
    const auto t0 = clock::now();
    s.submit(0);
    s.drain();
    const std::chrono::duration<double> alone = clock::now() - t0;

    const auto t1 = clock::now();
    for (int r = 0; r < o.requests; ++r) s.submit(r);
    s.drain();
    const std::chrono::duration<double> all = clock::now() - t1;

    long wrong = 0;
    for (int r = 0; r < o.requests; ++r)
        for (int f = 0; f < o.frames; ++f) wrong += s.reply(r)[f] != dec::token(r, f);

    const double ratio = all.count() / (alone.count() * o.requests / o.lanes);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
