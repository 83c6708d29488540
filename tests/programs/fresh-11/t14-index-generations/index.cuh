#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace idx {

inline void expect(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

using Slot = unsigned long long;  // key in the upper half, value in the lower; 0 is empty

struct Table {
    Slot* slots = nullptr;
    uint32_t mask = 0;
    std::size_t bytes() const { return (std::size_t(mask) + 1) * sizeof(Slot); }
};

__host__ __device__ inline uint32_t key_of(uint32_t id) { return (id + 1) * 2654435761u; }
__host__ __device__ inline uint32_t value_of(uint32_t id) { return id ^ 0x9e37u; }

// Index in generations: a writer derives the next one from the last and a batch of entries,
// while queries run against the last one.
class GenerationIndex {
public:
    explicit GenerationIndex(cudaMemPool_t pool);
    ~GenerationIndex();
    GenerationIndex(const GenerationIndex&) = delete;
    GenerationIndex& operator=(const GenerationIndex&) = delete;

    // entries is page-locked.
    void advance(const Slot* entries, uint32_t count, uint32_t log2_slots);
    // Adds to *hits how many of the ids below `ids` are found with the right value.
    void query(uint32_t ids, unsigned long long* hits);
    void settle() const;
    cudaStream_t reader() const { return reader_; }

private:
    template <class T>
    T* allocate(std::size_t n, cudaStream_t s)
    {
        T* p = nullptr;
        expect(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&p), n * sizeof(T), pool_, s));
        return p;
    }

    cudaMemPool_t pool_;
    Table current_;
    cudaStream_t writer_ = nullptr, reader_ = nullptr;
    cudaEvent_t built_ = nullptr;
};

}  // namespace idx
