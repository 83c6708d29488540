#pragma once
#include "compactor.h"

namespace lidar {

struct GroundFilter {
    float maxHeight;
    __host__ __device__ bool operator()(const Point& p) const { return p.z > maxHeight; }
};

struct RangeGate {
    float lo, hi;
    __host__ __device__ bool operator()(const Point& p) const { return p.x >= lo && p.x < hi; }
};

template <class A, class B>
struct Both {
    A a;
    B b;
    __host__ __device__ bool operator()(const Point& p) const { return a(p) && b(p); }
};

template <class Pred>
__global__ void classifyPoints(const Point* pts, unsigned char* keep, int n, Pred pred, int refineUs) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < 1000ull * refineUs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) keep[i] = pred(pts[i]);
}

// Consecutive sweeps go through the same stream.
template <class Pred>
class SweepFilter {
public:
    explicit SweepFilter(int maxPoints) : max_(maxPoints), compactor_(maxPoints, openStream()) {
        require(cudaMalloc(&pts_, maxPoints * sizeof(Point)));
        require(cudaMalloc(&keep_, maxPoints));
        require(cudaMemset(keep_, 0, maxPoints));
        compactor_.select(pts_, keep_, maxPoints);
        require(cudaDeviceSynchronize());
    }
    ~SweepFilter() {
        require(cudaStreamSynchronize(stream_));
        require(cudaFree(keep_));
        require(cudaFree(pts_));
    }

    // sweep and result are page-locked
    void filter(const Point* sweep, int n, Pred pred, Point* result, int* resultCount) {
        require(cudaMemcpyAsync(pts_, sweep, n * sizeof(Point), cudaMemcpyHostToDevice, stream_));
        classifyPoints<<<8, 256, 0, stream_>>>(pts_, keep_, n, pred, 40000);
        require(cudaGetLastError());
        compactor_.select(pts_, keep_, n);
        require(cudaMemcpyAsync(resultCount, compactor_.count(), sizeof(int), cudaMemcpyDeviceToHost, stream_));
        require(cudaMemcpyAsync(result, compactor_.kept(), n * sizeof(Point), cudaMemcpyDeviceToHost, stream_));
    }

    void wait() { require(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t openStream() {
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        return stream_;
    }

    int max_;
    cudaStream_t stream_ = nullptr;
    Compactor compactor_;
    Point* pts_ = nullptr;
    unsigned char* keep_ = nullptr;
};

}  // namespace lidar
