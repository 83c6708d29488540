#pragma once
#include "timers.h"
#include <vector>

namespace bench {

class Workload {
public:
    virtual ~Workload() = default;
    virtual void launch() = 0;
    virtual int verify() = 0;
    virtual cudaStream_t primary() const = 0;
};

// Probes a hash table with the two halves of a key column; the second half has a stream of its own.
class HashProbe final : public Workload {
public:
    HashProbe(int slots, int keys);
    ~HashProbe() override;
    void launch() override;
    int verify() override;
    cudaStream_t primary() const override { return left_; }

private:
    void prepare();

    int slots_, keys_;
    bool ready_ = false;
    cudaStream_t left_ = nullptr, right_ = nullptr;
    cudaEvent_t split_ = nullptr, merge_ = nullptr;
    int* table_ = nullptr;
    int* column_ = nullptr;
    int* found_ = nullptr;
};

}  // namespace bench
