#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

namespace genome {

constexpr int kReadLength = 128;
constexpr int kReadsPerChunk = 512;
constexpr int kBases = kReadLength * kReadsPerChunk;

inline unsigned char baseAt(int lane, int chunk, int i) { return "ACGT"[(i * 3 + i / 7 + chunk * 5 + lane) & 3]; }

// Decompresses the chunks of one lane into a slot, chunk after chunk.
class ChunkSource {
public:
    ChunkSource(int lane, int chunks, unsigned char* slot);
    ~ChunkSource();

    void awaitLoaded(int chunk);
    void giveBack(int chunk);

private:
    void decompress();

    const int lane_;
    const int chunks_;
    unsigned char* const slot_;
    std::mutex mutex_;
    std::condition_variable turn_;
    int loaded_ = -1;
    int returned_ = -1;
    std::thread reader_;
};

}  // namespace genome
