#include "ledger.h"

#include <cstdio>

int main() {
    constexpr int kAccounts = 1000;
    constexpr int kEntries = 20000;
    constexpr int kEpochs = 5;

    Ledger ledger(kAccounts, kEntries, {"apac", "emea", "latam"});
    int wrong = 0;
    for (int e = 0; e < kEpochs; ++e) {
        const auto source = [e](int shard, int i) {
            return Entry{(i * 31 + shard * 17 + e * 5) % kAccounts, (i * 13 + e * 71 + shard) % 2000 - 700};
        };
        const auto totals = ledger.epoch(source);
        for (int s = 0; s < static_cast<int>(ledger.shards()); ++s) {
            long long want = 0;
            for (int i = 0; i < kEntries; ++i) {
                const Entry x = source(s, i);
                want += static_cast<long long>(x.cents) * (x.account + 1);
            }
            wrong += totals[s] != want;
        }
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
}
