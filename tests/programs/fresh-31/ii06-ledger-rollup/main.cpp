#include <algorithm>
#include <cstdlib>

#include "ledger.h"

namespace {

struct Statement {
    std::vector<ledger::Cents> balances;
    std::vector<ledger::Cents> turnover;
};

Statement recompute(const ledger::BookOptions& options) {
    Statement statement;
    statement.balances.assign(options.accounts, 0);
    statement.turnover.assign(options.accounts, 0);
    for (int day = 0; day < options.days; ++day)
        for (int account = 0; account < options.accounts; ++account) {
            ledger::Cents total = 0;
            for (int shard = 0; shard < options.shards; ++shard) {
                const ledger::Cents amount = ledger::movement(shard, day, account);
                statement.balances[account] += amount;
                total += std::llabs(amount);
            }
            statement.turnover[account] = std::max(statement.turnover[account], total);
        }
    return statement;
}

int differences(const std::vector<ledger::Cents>& a, const std::vector<ledger::Cents>& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
    return count;
}

}  // namespace

int main() {
    ledger::BookOptions options;
    std::vector<std::unique_ptr<ledger::Shard>> shards;
    for (int s = 0; s < options.shards; ++s) shards.push_back(std::make_unique<ledger::Shard>(s, options));
    ledger::Rollup rollup(options, shards);

    for (int day = 0; day < options.days; ++day) {
        for (auto& shard : shards) shard->post_day(day);
        rollup.close_day(day);
    }

    const Statement expected = recompute(options);
    const int wrong = differences(rollup.balances(), expected.balances) + differences(rollup.turnover(), expected.turnover);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
