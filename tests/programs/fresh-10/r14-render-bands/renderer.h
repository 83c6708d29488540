#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "host_array.h"

namespace bands {

struct Fault {
    cudaError_t code;
};

inline void require(cudaError_t code) {
    if (code != cudaSuccess) throw Fault{code};
}

// A horizontal band of the picture with everything it needs to be rendered on
// its own: scene parameters in, radiance out.
struct Band {
    Band(int width, int rows, int firstRow);
    ~Band();
    Band(const Band&) = delete;
    Band& operator=(const Band&) = delete;

    int width;
    int rows;
    int firstRow;
    HostArray<float, LockedMemory> albedo;
    HostArray<float> radiance;
    float* dAlbedo = nullptr;
    float* dRadiance = nullptr;
    cudaStream_t stream = nullptr;
};

class Renderer {
public:
    Renderer(int width, int height, int bands);
    void render(int firstBand, int count);
    int mistakes();
    int bands() const { return static_cast<int>(bands_.size()); }

private:
    std::vector<std::unique_ptr<Band>> bands_;
};

}  // namespace bands
