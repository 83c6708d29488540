#pragma once
#include <vector>
#include "pinned_pool.h"

namespace genomics {

constexpr int kK = 6;
constexpr int kEntries = 1 << (2 * kK);

class KmerIndex {
public:
    explicit KmerIndex(int batch_bases);
    ~KmerIndex();
    KmerIndex(const KmerIndex&) = delete;
    KmerIndex& operator=(const KmerIndex&) = delete;

    void open();
    void add(const unsigned char* pinned, int n);
    std::vector<unsigned> finish();
    cudaStream_t stream() const { return stream_; }

private:
    int batch_bases_;
    cudaStream_t stream_ = nullptr;
    unsigned char* d_bases_ = nullptr;
    unsigned* d_counts_ = nullptr;
};

}  // namespace genomics
