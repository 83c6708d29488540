#pragma once
#include "staging.hpp"

namespace reads {

constexpr int kWords = 64;  // k-mers of length three

// Counts k-mers batch by batch. Every batch gets a row of the table.
class KmerCounter {
public:
    KmerCounter(int batches, std::size_t batchBytes);
    ~KmerCounter();

    void push(Staging::Lease batch);
    std::vector<unsigned> table();

private:
    static void CUDART_CB uploaded(void* p);

    int batches_;
    int next_ = 0;
    cudaStream_t stream_ = nullptr;
    std::uint8_t* bases_ = nullptr;
    unsigned* table_ = nullptr;
};

}  // namespace reads
