#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "graph.h"

namespace ct {

struct Geometry {
    int views = 64;
    int detectors = 256;
    int slices = 6;
};

struct FreeDevice {
    void operator()(void* p) const { cudaFree(p); }
};
struct FreeHost {
    void operator()(void* p) const { cudaFreeHost(p); }
};
using DeviceFloats = std::unique_ptr<float[], FreeDevice>;
using PinnedFloats = std::unique_ptr<float[], FreeHost>;

using ProjectionSource = std::function<void(int slice, float* projections)>;

float view_weight(int view);

class Reconstructor {
public:
    explicit Reconstructor(const Geometry& geometry);
    ~Reconstructor();
    Reconstructor(const Reconstructor&) = delete;
    Reconstructor& operator=(const Reconstructor&) = delete;

    std::vector<float> reconstruct(int slice, const ProjectionSource& source);

private:
    void prepare();
    void upload(int slice, const ProjectionSource& source);

    Geometry geometry_;
    cudaStream_t stream_ = nullptr;
    PinnedFloats host_weights_;
    DeviceFloats weights_;
    DeviceFloats projections_;
    DeviceFloats image_;
    Replay iteration_;
};

}  // namespace ct
