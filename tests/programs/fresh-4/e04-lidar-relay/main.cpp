#include "relay.h"
#include <cstdio>

int main()
{
    constexpr int kPackets = 600;
    lidar::Relay relay(kPackets);
    relay.warm();

    long wrong = 0;
    for (int sweep = 0; sweep < 3; ++sweep) {
        std::vector<int> packets(static_cast<std::size_t>(kPackets) * lidar::kBeams);
        for (std::size_t i = 0; i < packets.size(); ++i)
            packets[i] = static_cast<int>((i * 31 + sweep * 17) % 4001) - 2000;

        const auto scan = relay.assemble(packets);
        if (relay.progress_at_open() != 0) ++wrong;
        for (int b = 0; b < lidar::kBeams; ++b) {
            long long expect = 0;
            for (int p = 0; p < kPackets; ++p)
                expect += static_cast<long long>(packets[p * lidar::kBeams + b]) * (p + 1);
            if (scan[b] != expect) ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
