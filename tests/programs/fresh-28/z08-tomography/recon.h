#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

#define RC(call) ::recon::verify((call), #call)

namespace recon {

inline void verify(cudaError_t e, const char* what)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", what);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Geometry {
    int detectors = 1024;
    int rows = 256;
    int angles = 48;
    int voxels = 1 << 14;
    std::size_t projectionFloats() const { return static_cast<std::size_t>(detectors) * rows; }
};

// All projections of a scan, as the beam line delivers them.
class Scan {
public:
    explicit Scan(const Geometry& g) : geometry_(g), data_(g.projectionFloats() * g.angles)
    {
        for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<float>((i * 7919u >> 3) & 15u);
        RC(cudaHostRegister(data_.data(), data_.size() * sizeof(float), cudaHostRegisterDefault));
    }
    ~Scan() { cudaHostUnregister(data_.data()); }
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;
    const float* projection(int angle) const { return data_.data() + angle * geometry_.projectionFloats(); }
    const Geometry& geometry() const { return geometry_; }

private:
    Geometry geometry_;
    std::vector<float> data_;
};

// A slab of the volume with everything that is needed to reconstruct it.
class Lane {
public:
    explicit Lane(const Geometry& g);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void clear();
    void backproject(const Scan& scan, int angle);
    void wait() { RC(cudaStreamSynchronize(stream_)); }
    std::vector<unsigned> volume() const;

private:
    Geometry geometry_;
    cudaStream_t stream_ = nullptr;
    cudaMemPool_t pool_ = nullptr;
    unsigned* volume_ = nullptr;
};

// Counts dispatched projections on the device, for the operator's display.
class Heartbeat {
public:
    Heartbeat();
    ~Heartbeat() { cudaFree(count_); }
    void tick();
    unsigned read() const;

private:
    unsigned* count_ = nullptr;
};

}  // namespace recon
