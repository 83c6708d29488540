// SELECT key, SUM(value) FROM readings GROUP BY key
// over a table that arrives in chunks; new keys keep appearing as the table grows.
#include "plan.h"
#include <thread>

using namespace query;

static std::size_t loadTable(const PlanOptions& options, Columns& columns)
{
    const std::size_t rows = std::size_t(options.chunks) * options.rowsPerChunk;
    Q_CUDA(cudaMallocHost(&columns.keys, sizeof(Key) * rows));
    Q_CUDA(cudaMallocHost(&columns.values, sizeof(Key) * rows));
    std::uint64_t state = 88172645463325252ull;
    for (std::size_t i = 0; i < rows; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const Key known = 64 * Key(i / options.rowsPerChunk + 1);
        columns.keys[i] = Key(state >> 33) % known;
        columns.values[i] = Key(state & 1023) + 1;
    }
    return rows;
}

int main()
{
    const PlanOptions options;
    Columns columns;
    const std::size_t rows = loadTable(options, columns);
    std::vector<Sum> expected(options.groups, 0);
    for (std::size_t i = 0; i < rows; ++i) expected[columns.keys[i]] += columns.values[i];

    int wrong = 0;
    {
        ScanStage scan(options, columns);
        HashAggregate aggregate(options, scan);
        std::thread worker([&aggregate] { aggregate.run(); });
        scan.open();
        worker.join();
        scan.settle();

        const std::vector<Sum> result = aggregate.result();
        for (int g = 0; g < options.groups; ++g) wrong += result[g] != expected[g];
    }
    cudaFreeHost(columns.keys);
    cudaFreeHost(columns.values);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
