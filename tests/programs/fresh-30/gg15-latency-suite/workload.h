#pragma once
#include <cuda_runtime.h>

#include <vector>

namespace suite {

// A request, as the device saw it.
struct Span {
    long long begin;
    long long end;
};

// The service under test: looks up keys in a table.
class LookupService {
public:
    LookupService(int requests, double ms);
    ~LookupService();
    LookupService(const LookupService&) = delete;
    LookupService& operator=(const LookupService&) = delete;

    void submit(cudaStream_t s, int request);
    std::vector<Span> spans() const;
    std::vector<unsigned> answers() const;
    static unsigned expected(int request);

private:
    int requests_;
    double ms_;
    unsigned* table_ = nullptr;
    unsigned* answers_ = nullptr;
    Span* spans_ = nullptr;
};

}  // namespace suite
