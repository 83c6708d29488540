#pragma once
#include "memory.h"

#include <functional>
#include <vector>

namespace pricing {

struct quote_request {
    int paths;
    int strike;
    unsigned long long* payoff;
};

void price(const quote_request& q, cudaStream_t stream, resource& mr);
unsigned long long reference(const quote_request& q);

// Spreads requests over desks; every desk prices on a stream of its own.
class trading_floor {
public:
    trading_floor(int desks, resource& mr) : mr_(mr), streams_(desks)
    {
        for (auto& s : streams_)
            enforce(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "stream");
    }
    ~trading_floor()
    {
        for (auto s : streams_) cudaStreamDestroy(s);
    }

    void submit(const quote_request& q) { price(q, streams_[next_++ % streams_.size()], mr_); }

    void settle()
    {
        for (auto s : streams_) enforce(cudaStreamSynchronize(s), "settle");
    }

private:
    resource& mr_;
    std::vector<cudaStream_t> streams_;
    std::size_t next_ = 0;
};

}  // namespace pricing
