#pragma once
#include <cuda_runtime.h>

#include <vector>

namespace fstore {

// Shared with the device through mapped host memory.
struct Mailbox {
    volatile unsigned request;
    volatile unsigned answered;
    const int* volatile ids;
    float* volatile rows;
    volatile int count;
};

// Embedding lookups answered by a resident kernel through a mailbox.
class LookupService {
public:
    LookupService(const std::vector<float>& table, int dim);
    ~LookupService();

    void start();
    void lookup(const int* ids, float* rows, int count);
    void stop();
    int dim() const { return dim_; }
private:
    int dim_;
    float* table_ = nullptr;
    Mailbox* box_ = nullptr;
    Mailbox* box_dev_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned ticket_ = 0;
    bool running_ = false;
};
}  // namespace fstore
