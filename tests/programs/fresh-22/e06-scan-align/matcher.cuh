// Scan matching in fixed point: a moving scan is shifted towards a reference
// until the mean residual is small. A second stream keeps the quality record.
#pragma once

#include "pool.h"

#include <vector>

namespace scan {

struct Point { int x, y, z; };

struct Settings {
    int iterations = 6;
    int outlier = 900;                              // distance from which a pair has less weight
    unsigned long long inspection = 60'000'000;     // ns that the quality model takes
};

struct Outcome {
    int shift[3] = {0, 0, 0};
    std::vector<long long> quality;
};

class Matcher {
public:
    Matcher(const std::vector<Point>& reference, const std::vector<Point>& moving, Settings settings);
    ~Matcher();

    Outcome align();

private:
    void iterate(int (&shift)[3], long long* quality);

    Settings settings_;
    int n_;
    cudaStream_t solve_ = nullptr, audit_ = nullptr;
    cudaEvent_t paired_ = nullptr;
    Point *reference_ = nullptr, *moving_ = nullptr;
    long long* sums_ = nullptr;
    CachingPool* pool_ = nullptr;
};

} // namespace scan
