#pragma once
#include "model.cuh"

#include <map>
#include <memory>
#include <vector>

// Which KV page each row of a padded batch uses.
class Placement {
public:
    std::vector<int> rows(int bucket) const {
        std::vector<int> r(bucket);
        for (int i = 0; i < bucket; ++i) r[i] = (bucket * 7 + i * 3) % kSlots;
        return r;
    }
};

struct PinnedDeleter {
    void operator()(int* p) const { cudaFreeHost(p); }
};
using PinnedInts = std::unique_ptr<int[], PinnedDeleter>;

inline PinnedInts make_pinned(int n) {
    int* p = nullptr;
    CU(cudaMallocHost(&p, n * sizeof(int)));
    return PinnedInts(p);
}

// One instantiated graph per batch size.
class GraphCache {
public:
    GraphCache(DecoderState state, const Placement& placement, const std::vector<int>& buckets);
    ~GraphCache();

    void launch(int bucket);
    std::vector<int> tokens(int bucket);

private:
    struct Entry {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        PinnedInts rows;
    };
    Entry build(int bucket, const std::vector<int>& rows);

    DecoderState state_;
    cudaStream_t stream_ = nullptr;
    PinnedInts out_;
    std::map<int, Entry> entries_;
};
