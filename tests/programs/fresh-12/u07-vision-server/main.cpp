#include <cstdio>

#include "server.h"

int main()
{
    constexpr int kFrames = 12;
    vis::Server server(kFrames + 1);

    server.handle(1000, kFrames);
    server.drain();

    for (int f = 0; f < kFrames; ++f) server.handle(std::uint32_t(f), f);
    const auto verdicts = server.drain();

    int wrong = 0;
    for (int f = 0; f < kFrames; ++f) {
        std::uint32_t want = 0;
        for (std::size_t i = 0; i < vis::kFeatures; ++i)
            want += vis::feature(std::uint32_t(f), std::uint32_t(i));
        wrong += verdicts[f].detection != want;
        wrong += verdicts[f].embedding != want;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
