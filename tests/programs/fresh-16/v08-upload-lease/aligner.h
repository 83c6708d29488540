#pragma once
#include "lease_pool.h"

#include <string>

namespace seq {

// Counts k-mer seeds of reads against a table of 2-bit codes.
class aligner {
public:
    aligner(int reads_per_batch, int read_length);
    ~aligner();

    void push(const std::string& reads);
    std::vector<unsigned> histogram();

    static constexpr int kBins = 256;

private:
    struct slot {
        cudaStream_t stream = nullptr;
        char* bases = nullptr;
    };

    int bytes_;
    lease_pool pool_;
    std::vector<slot> slots_;
    unsigned* bins_ = nullptr;
    std::size_t pushed_ = 0;
};

}  // namespace seq
