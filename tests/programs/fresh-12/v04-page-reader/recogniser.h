#pragma once
#include <cstdint>
#include <vector>

#include "arena.h"

namespace ocr {

struct LayerSpec {
    int width;       // activations that leave the layer
    uint32_t mix;
};

enum class Phase { Cold, Recorded, Failed };

// A page goes through all layers; the sequence is recorded once and replayed for every page.
class Recogniser {
public:
    Recogniser(std::vector<LayerSpec> layers, int page_words, ArenaKeeper& keeper);
    ~Recogniser();

    cudaError_t read(const std::vector<uint32_t>& page, std::vector<uint32_t>* glyphs);
    std::vector<uint32_t> reference(const std::vector<uint32_t>& page) const;

private:
    cudaError_t record();
    cudaError_t record_layers();

    std::vector<LayerSpec> layers_;
    int page_words_;
    ArenaKeeper& keeper_;
    Phase phase_ = Phase::Cold;
    cudaError_t failure_ = cudaSuccess;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    uint32_t* input_ = nullptr;
    uint32_t* output_ = nullptr;
};

}  // namespace ocr
