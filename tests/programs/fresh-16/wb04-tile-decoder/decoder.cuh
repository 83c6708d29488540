#pragma once
#include <memory>
#include <vector>

#include "stream_gate.h"
#include "worker_pool.h"

namespace tiles {

constexpr int kTileElems = 256 * 256;

void entropy_decode(int tile, short* out);
int dequantised(int tile, int elem);

class TileDecoder {
public:
    TileDecoder(WorkerPool& pool, int lanes, int tiles);
    ~TileDecoder();
    void decode(int tile);
    std::vector<int> fetch();

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        short* coeffs = nullptr;
        std::unique_ptr<Slot> slot;
    };
    WorkerPool& pool_;
    std::vector<Lane> lanes_;
    int* image_ = nullptr;
    int tiles_;
};

}  // namespace tiles
