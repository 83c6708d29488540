#pragma once
#include "slab.h"

#include <optional>

namespace ferry {

struct Config {
    std::size_t slab_bytes = std::size_t{1} << 20;
    int slabs = 2;
    cudaStream_t stream = nullptr;  // used when a submission names none
};

struct Scale {
    float step = 1.0f;
    float zero = 0.0f;
};

struct SubmitOptions {
    std::optional<cudaStream_t> stream;
};

// The streams of one submission.
struct Route {
    cudaStream_t work;    // copies and expansion
    cudaStream_t signal;  // completion event
};

class Ferry;

// Pieces collected for one submission. Sources are read by add(), so they may change afterwards.
class Shipment {
public:
    explicit Shipment(Ferry& ferry);
    bool add(float* dst, const std::uint8_t* src, std::size_t count, Scale scale);
    void submit(const SubmitOptions& options = {});

private:
    struct Piece {
        float* dst;
        std::size_t at;
        std::size_t count;
        Scale scale;
    };

    void issue(const Piece& piece, cudaStream_t stream);

    Ferry* ferry_;
    SlabPool::Handle slab_;
    std::vector<Piece> pieces_;
};

class Ferry {
public:
    explicit Ferry(const Config& config) : config_(config), pool_(config.slabs, config.slab_bytes) {}

    const Config& config() const { return config_; }
    SlabPool& pool() { return pool_; }
    Route route(const SubmitOptions& options) const;

    // Expands `count` bytes to floats in dst, in stream order; returns as soon as src is read.
    void upload(float* dst, const std::uint8_t* src, std::size_t count, Scale scale,
                const SubmitOptions& options = {});

private:
    Config config_;
    SlabPool pool_;
};

}  // namespace ferry
