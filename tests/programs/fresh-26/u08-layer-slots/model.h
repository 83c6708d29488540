#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace llm {

inline void verify(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

struct ModelConfig {
    int layers = 12;
    int hidden = 4096;
    int blocks = 64;        // entries of a block table
    int cache_pages = 512;
};

// Where a layer finds the pages of its cache.
inline std::vector<int> block_table(const ModelConfig& cfg, int layer)
{
    std::vector<int> t(cfg.blocks);
    for (int i = 0; i < cfg.blocks; ++i)
        t[i] = (i * 7 + layer * 37 + 5) % cfg.cache_pages;
    return t;
}

inline unsigned cache_word(int page) { return 2654435761u * static_cast<unsigned>(page + 1); }

inline std::vector<unsigned> reference(const ModelConfig& cfg, int passes)
{
    std::vector<unsigned> x(cfg.hidden, 1u);
    for (int p = 0; p < passes; ++p)
        for (int l = 0; l < cfg.layers; ++l) {
            const auto t = block_table(cfg, l);
            for (int i = 0; i < cfg.hidden; ++i)
                x[i] = x[i] * 3u + cache_word(t[i % cfg.blocks]) + static_cast<unsigned>(l);
        }
    return x;
}

} // namespace llm
