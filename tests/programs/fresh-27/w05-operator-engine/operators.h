#pragma once
#include <variant>
#include <vector>

#include "memory.h"

namespace dbx {

constexpr int kBatchRows = 1024;
constexpr unsigned kRing = 4;

struct Row {
    int key;
    int value;
};

using Batch = Column<Row, Space::pinned>;

struct ExchangeControl {
    volatile unsigned published;
    volatile unsigned consumed;
    volatile unsigned closed;
};

// Streams batches into a resident consumer that keeps the running total of `value`.
class TotalOperator {
public:
    TotalOperator();
    void open();
    void consume(const Row* batch);
    void close();
    long long total() const;

private:
    StreamHandle stream_;
    Column<ExchangeControl, Space::pinned> control_;
    Column<Row, Space::pinned> ring_;
    Column<long long> total_;
};

// GROUP BY key, SUM(value) over a dense key domain that becomes known batch by batch.
class GroupByOperator {
public:
    explicit GroupByOperator(int initial_groups);
    void open() {}
    void consume(const Row* batch);
    void close();
    std::vector<long long> groups() const;

private:
    void grow(int wanted);

    StreamHandle stream_;
    int capacity_ = 0;
    Column<long long> sums_;
};

using Operator = std::variant<std::unique_ptr<TotalOperator>, std::unique_ptr<GroupByOperator>>;

}  // namespace dbx
