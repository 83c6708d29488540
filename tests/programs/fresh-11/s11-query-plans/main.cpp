// Prepared statements of an analytical store: planned once, executed by the dashboard over and over.
#include "planner.h"

namespace {

constexpr int kRows = 1 << 20;
constexpr int kRefreshes = 5;

unsigned long long reference(const std::vector<int>& key, const std::vector<int>& amount,
                             const db::Statement& s) {
    unsigned long long sum = 0;
    for (size_t i = 0; i < key.size(); ++i) {
        if (key[i] >= s.low && key[i] <= s.high) {
            sum += static_cast<unsigned long long>(amount[i]) * s.weight;
        }
    }
    return sum;
}

int* column(const std::vector<int>& values) {
    int* device = nullptr;
    db::ok(cudaMalloc(&device, values.size() * sizeof(int)));
    db::ok(cudaMemcpy(device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
    return device;
}

}  // namespace

int main() {
    std::vector<int> key(kRows), amount(kRows);
    for (int i = 0; i < kRows; ++i) {
        key[i] = static_cast<int>((i * 7919ll) % 1000);
        amount[i] = i % 50 + 1;
    }
    int* keys = column(key);
    int* amounts = column(amount);

    db::Table table;
    table.rows = kRows;
    table.key = keys;
    table.amount = amounts;

    cudaStream_t stream = nullptr;
    db::ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    const std::vector<db::Statement> statements = {{0, 99, 1}, {250, 749, 3}, {900, 999, 7}};
    int wrong = 0;
    {
        db::Planner planner(table, stream);
        std::vector<db::Plan> plans;
        for (const auto& statement : statements) plans.push_back(planner.prepare(statement));

        for (int refresh = 0; refresh < kRefreshes; ++refresh) {
            for (auto& plan : plans) db::ok(cudaGraphLaunch(plan.exec, stream));
            db::ok(cudaStreamSynchronize(stream));
            for (size_t q = 0; q < plans.size(); ++q) {
                const auto expected = reference(key, amount, statements[q]);
                if (*plans[q].answer != expected || plans[q].sample != expected) ++wrong;
            }
        }
        for (auto& plan : plans) db::Planner::drop(plan);
    }

    db::ok(cudaStreamDestroy(stream));
    db::ok(cudaFree(amounts));
    db::ok(cudaFree(keys));
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
