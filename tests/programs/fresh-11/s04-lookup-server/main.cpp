// Key lookups for a column store: batches of growing size against one resident service.
#include <vector>

#include "server.h"

namespace {

constexpr uint32_t kSlots = 1u << 20;

struct Batch {
    uint32_t first;
    uint32_t rows;
};

const Batch kBatches[] = {{1, 40000}, {90000, 900000}, {500, 3000000}, {77, 200000}};

int verify(const Batch& batch, const uint32_t* rows, const std::vector<uint32_t>& table) {
    int wrong = 0;
    for (uint32_t i = 0; i < batch.rows; ++i) {
        if (rows[i] != table[slotOf(batch.first + i) & (kSlots - 1)]) ++wrong;
    }
    return wrong;
}

}  // namespace

int main() {
    std::vector<uint32_t> table(kSlots);
    for (uint32_t i = 0; i < kSlots; ++i) table[i] = i * 2654435761u + 17u;

    uint32_t* deviceTable = nullptr;
    DB_TRY(cudaMalloc(&deviceTable, kSlots * sizeof(uint32_t)));
    DB_TRY(cudaMemcpy(deviceTable, table.data(), kSlots * sizeof(uint32_t), cudaMemcpyHostToDevice));

    uint32_t* rows = nullptr;
    DB_TRY(cudaMallocHost(&rows, 4u * 1024 * 1024 * sizeof(uint32_t)));
    cudaStream_t fetch = nullptr;
    DB_TRY(cudaStreamCreateWithFlags(&fetch, cudaStreamNonBlocking));

    int wrong = 0;
    {
        ResultArena arena(1u << 20);
        LookupServer server(deviceTable, kSlots - 1);
        server.open();
        for (const Batch& batch : kBatches) {
            uint32_t* out = arena.reserve(batch.rows);
            server.lookup(batch.first, batch.rows, out);
            DB_TRY(cudaMemcpyAsync(rows, out, batch.rows * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, fetch));
            DB_TRY(cudaStreamSynchronize(fetch));
            wrong += verify(batch, rows, table);
        }
        server.close();
    }

    DB_TRY(cudaStreamDestroy(fetch));
    DB_TRY(cudaFreeHost(rows));
    DB_TRY(cudaFree(deviceTable));
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
