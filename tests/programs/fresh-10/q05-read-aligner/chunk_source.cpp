#include "chunk_source.h"

#include <chrono>

namespace genome {

ChunkSource::ChunkSource(int lane, int chunks, unsigned char* slot)
    : lane_(lane), chunks_(chunks), slot_(slot), reader_(&ChunkSource::decompress, this) {}

ChunkSource::~ChunkSource() { reader_.join(); }

void ChunkSource::awaitLoaded(int chunk) {
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.wait(lock, [&] { return loaded_ >= chunk; });
}

void ChunkSource::giveBack(int chunk) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        returned_ = chunk;
    }
    turn_.notify_all();
}

void ChunkSource::decompress() {
    for (int chunk = 0; chunk < chunks_; ++chunk) {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            turn_.wait(lock, [&] { return returned_ >= chunk - 1; });
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(4));
        for (int i = 0; i < kBases; ++i) slot_[i] = baseAt(lane_, chunk, i);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            loaded_ = chunk;
        }
        turn_.notify_all();
    }
}

}  // namespace genome
