#pragma once
#include "workspace.h"
#include <memory>
#include <vector>

namespace codec {

struct EncoderConfig {
    int lanes = 4;
    int max_samples = 384 * 1024;
    unsigned search_ms = 20;
};

// A tile and its encoded form, both in page-locked host memory.
class Tile {
public:
    Tile(int samples, int seed);
    ~Tile();
    Tile(const Tile&) = delete;
    Tile& operator=(const Tile&) = delete;

    int samples() const { return samples_; }
    int* pixels() { return pixels_; }
    int* encoded() { return encoded_; }
    long mismatches() const;

private:
    int samples_;
    int* pixels_ = nullptr;
    int* encoded_ = nullptr;
};

class TileEncoder {
public:
    explicit TileEncoder(const EncoderConfig& config);

    void encode(Tile& tile);
    void drain();
    const EncoderConfig& config() const { return config_; }

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        int* input = nullptr;
        int* output = nullptr;
        Workspace scratch;
        explicit Lane(const EncoderConfig& config);
        ~Lane();
    };

    EncoderConfig config_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::size_t next_ = 0;
};

constexpr int kCandidates = 8;

}  // namespace codec
