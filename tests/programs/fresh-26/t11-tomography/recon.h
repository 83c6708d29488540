#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>

namespace tomo {

inline void expect(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kPixels = 256 * 256;

struct SliceImage {
    int number;
    const int* pixels;
};

struct StudySummary {
    int slices = 0;
    int peak = 0;  // brightest pixel of the whole study
};

using SliceSink = std::function<void(SliceImage)>;

// Filters projections slice by slice. Finished slices go to the sink while the next ones are in work.
class Reconstruction {
public:
    Reconstruction(int slices, SliceSink sink);
    ~Reconstruction();
    Reconstruction(const Reconstruction&) = delete;
    Reconstruction& operator=(const Reconstruction&) = delete;

    void enqueue(int number, const int* projection);
    StudySummary finish();

private:
    struct Delivery {
        Reconstruction* owner;
        int number;
    };
    static void CUDART_CB delivered(void* arg);

    int slices_;
    SliceSink sink_;
    cudaStream_t stream_ = nullptr;
    int* projection_ = nullptr;
    int* image_ = nullptr;
    int* peak_ = nullptr;
    int* volume_ = nullptr;
    int* peakOnHost_ = nullptr;
    std::vector<std::unique_ptr<Delivery>> deliveries_;
};

}  // namespace tomo
