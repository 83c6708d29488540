#pragma once
#include "status.h"

namespace lidar {

struct Point {
    float x, y, z, intensity;
};

// Keeps the points of a sweep whose flag is set; temporary storage is sized once for the largest sweep.
class Compactor {
public:
    Compactor(int maxPoints, cudaStream_t stream);
    ~Compactor();
    Compactor(const Compactor&) = delete;
    Compactor& operator=(const Compactor&) = delete;

    void select(const Point* in, const unsigned char* keep, int n);
    const Point* kept() const { return out_; }
    const int* count() const { return count_; }

private:
    cudaStream_t stream_;
    void* temp_ = nullptr;
    size_t tempBytes_ = 0;
    Point* out_ = nullptr;
    int* count_ = nullptr;
};

}  // namespace lidar
