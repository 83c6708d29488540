// Sum over a device array of 64-bit integers.
#pragma once
#include "core.h"

namespace ens {

class Reducer {
public:
    explicit Reducer(int blocks = 32);
    long long sum(const Array<long long>& a);

private:
    int blocks_;
    Array<long long> partial_;
    std::unique_ptr<long long[]> host_;
    cudaStream_t s_ = nullptr;
    struct Closer {
        cudaStream_t* s;
        ~Closer() { cudaStreamDestroy(*s); }
    } closer_{&s_};
};

}  // namespace ens
