#include <cstdio>
#include <cstdlib>

#include "operators.h"

namespace {

struct QueryConfig {
    int batches = 16;
    int initial_groups = 64;
    int groups_per_batch = 48;
};

// Pulls batches from the scan and hands each to every operator of the plan.
class Query {
public:
    explicit Query(std::vector<dbx::Operator> plan) : plan_(std::move(plan)) {}

    void run(const std::vector<dbx::Batch>& scan) {
        for (auto& op : plan_) std::visit([](auto& o) { o->open(); }, op);
        for (const auto& batch : scan)
            for (auto& op : plan_) std::visit([&](auto& o) { o->consume(batch.get()); }, op);
        for (auto& op : plan_) std::visit([](auto& o) { o->close(); }, op);
    }

    template <class T>
    const T& get(std::size_t i) const {
        return *std::get<std::unique_ptr<T>>(plan_[i]);
    }

private:
    std::vector<dbx::Operator> plan_;
};

std::vector<dbx::Batch> make_scan(const QueryConfig& config) {
    std::vector<dbx::Batch> scan;
    for (int b = 0; b < config.batches; ++b) {
        auto batch = dbx::make_column<dbx::Row, dbx::Space::pinned>(dbx::kBatchRows);
        const int domain = (b + 1) * config.groups_per_batch;
        for (int i = 0; i < dbx::kBatchRows; ++i) batch[i] = {(i * 17 + b) % domain, 1 + (i + b) % 9};
        scan.push_back(std::move(batch));
    }
    return scan;
}

}  // namespace

int main() {
    try {
        const QueryConfig config;
        const auto scan = make_scan(config);

        std::vector<dbx::Operator> plan;
        plan.emplace_back(std::make_unique<dbx::TotalOperator>());
        plan.emplace_back(std::make_unique<dbx::GroupByOperator>(config.initial_groups));
        Query query(std::move(plan));
        query.run(scan);

        const auto groups = query.get<dbx::GroupByOperator>(1).groups();
        std::vector<long long> expected(groups.size());
        long long total = 0;
        for (const auto& batch : scan)
            for (int i = 0; i < dbx::kBatchRows; ++i) {
                expected.at(batch[i].key) += batch[i].value;
                total += batch[i].value;
            }
        int wrong = query.get<dbx::TotalOperator>(0).total() != total;
        for (std::size_t g = 0; g < groups.size(); ++g) wrong += groups[g] != expected[g];
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong ? 1 : 0;
    } catch (const dbx::CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        std::fflush(stdout);
        std::_Exit(2);
    }
}
