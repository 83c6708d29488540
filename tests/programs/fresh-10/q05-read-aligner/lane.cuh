#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include "chunk_source.h"

namespace genome {

inline void cu(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// One sequencer lane: a reader, a slot it fills, and the stream that counts GC content.
class Lane {
public:
    Lane(int index, int chunks);
    ~Lane();

    void enqueueAll();
    const int* gcCounts();

private:
    struct Step {
        ChunkSource* source;
        int chunk;
    };

    int chunks_;
    cudaStream_t stream_ = nullptr;
    unsigned char* slot_ = nullptr;
    unsigned char* bases_ = nullptr;
    int* gc_ = nullptr;
    int* gcHost_ = nullptr;
    std::vector<Step> steps_;
    std::unique_ptr<ChunkSource> source_;
};

}  // namespace genome
