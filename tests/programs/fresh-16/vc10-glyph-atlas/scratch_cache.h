#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>
#include "device.h"

namespace glyph {

class CaptureModeSwap {
public:
    explicit CaptureModeSwap(cudaStreamCaptureMode mode) : mode_(mode) { GLYPH_TRY(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~CaptureModeSwap() { GLYPH_TRY(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    CaptureModeSwap(const CaptureModeSwap&) = delete;
    CaptureModeSwap& operator=(const CaptureModeSwap&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Named device blocks, made when they are first asked for and again when they are too small.
class ScratchCache {
public:
    static ScratchCache& instance() {
        static ScratchCache* cache = new ScratchCache;
        return *cache;
    }

    template <class T>
    T* get(const std::string& name, std::size_t count) {
        Block& block = blocks_[name];
        const std::size_t bytes = count * sizeof(T);
        if (block.bytes < bytes) {
            CaptureModeSwap swap(cudaStreamCaptureModeRelaxed);
            if (block.base) outgrown_.push_back(block.base);
            GLYPH_TRY(cudaMalloc(&block.base, bytes));
            block.bytes = bytes;
        }
        return static_cast<T*>(block.base);
    }

    void clear() {
        for (auto& [name, block] : blocks_) GLYPH_TRY(cudaFree(block.base));
        for (void* base : outgrown_) GLYPH_TRY(cudaFree(base));
        blocks_.clear();
        outgrown_.clear();
    }

private:
    struct Block {
        void* base = nullptr;
        std::size_t bytes = 0;
    };
    ScratchCache() = default;

    std::unordered_map<std::string, Block> blocks_;
    std::vector<void*> outgrown_;
};

}  // namespace glyph
