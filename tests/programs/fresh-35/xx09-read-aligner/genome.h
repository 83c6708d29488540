// Sequences, mapper configuration and the rule by which a read is placed.
#pragma once

#include <cstdint>
#include <vector>

#ifdef __CUDACC__
#define READMAP_HD __host__ __device__
#else
#define READMAP_HD
#endif

namespace readmap {

using Base = std::uint8_t;  // 0..3

constexpr int kSeedLength = 9;
constexpr int kTableSize = 1 << (2 * kSeedLength);
constexpr int kReadLength = 64;
constexpr int kNowhere = 0x7f7f7f7f;

struct MapperConfig {
    int genomeLength = 1 << 16;
    int batchReads = 1024;
    int batches = 16;
    int lanes = 4;
    unsigned extensionMicros = 20000;  // gapped extension of one batch
    unsigned samplingMicros = 300000;  // suffix sampling of the whole genome
};

struct Hit {
    std::int32_t position = -1;
    std::int32_t score = 0;
};

using HitList = std::vector<Hit>;

struct ReadBatch {
    std::vector<Base> bases;  // batchReads x kReadLength
};

READMAP_HD inline int seedAt(const Base* bases) {
    int key = 0;
    for (int i = 0; i < kSeedLength; ++i) key = key * 4 + bases[i];
    return key;
}

// Tries two seeds of the read and keeps the placement with more matching bases.
READMAP_HD inline Hit placeRead(const Base* read, const Base* genome, int genomeLength, const int* table) {
    Hit best;
    for (int offset = 0; offset <= 27; offset += 27) {
        const int at = table[seedAt(read + offset)];
        if (at == kNowhere) continue;
        const int position = at - offset;
        if (position < 0 || position + kReadLength > genomeLength) continue;
        int score = 0;
        for (int i = 0; i < kReadLength; ++i) score += read[i] == genome[position + i] ? 1 : 0;
        if (score > best.score) {
            best.position = position;
            best.score = score;
        }
    }
    return best;
}

class Sequencer {
public:
    explicit Sequencer(std::uint32_t seed) : state_(seed) {}

    std::vector<Base> genome(int length) {
        std::vector<Base> g(length);
        for (auto& base : g) base = static_cast<Base>(draw() & 3u);
        return g;
    }

    ReadBatch reads(const std::vector<Base>& genome, int count) {
        ReadBatch batch;
        batch.bases.reserve(static_cast<std::size_t>(count) * kReadLength);
        for (int r = 0; r < count; ++r) {
            const int start = static_cast<int>(draw() % static_cast<std::uint32_t>(genome.size() - kReadLength));
            for (int i = 0; i < kReadLength; ++i) {
                const bool error = draw() % 40 == 0;
                batch.bases.push_back(error ? static_cast<Base>(draw() & 3u) : genome[start + i]);
            }
        }
        return batch;
    }

private:
    std::uint32_t draw() {
        state_ = state_ * 1103515245u + 12345u;
        return state_ >> 12;
    }
    std::uint32_t state_;
};

}  // namespace readmap
