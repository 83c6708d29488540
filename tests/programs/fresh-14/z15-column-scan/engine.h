#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace scan {

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Predicate {
    int low, high;
};

// First and last instant at which a scan was at work, in the device's clock.
struct Span {
    unsigned long long begin;
    unsigned long long end;
};

class Engine {
public:
    Engine(const std::vector<int>& column, int sessions, int max_queries);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void count(int session, int query, Predicate p);
    void reset();
    std::vector<unsigned> results();
    Span span();

private:
    int rows_;
    int max_queries_;
    int* column_ = nullptr;
    unsigned* hits_ = nullptr;
    Span* span_ = nullptr;
    std::vector<cudaStream_t> sessions_;
};

}  // namespace scan
