#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace sky {

struct GpuError : std::runtime_error {
    explicit GpuError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define SKY_CHECK(expr)                                  \
    do {                                                 \
        cudaError_t sky_err = (expr);                    \
        if (sky_err != cudaSuccess) throw sky::GpuError(sky_err); \
    } while (0)

struct Geometry {
    int bins = 4096;
    int spectra = 24;
    int blocks = 8;
};

// A stage of the backend; each one lives on its own stream.
class Stage {
public:
    Stage() { SKY_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    virtual ~Stage() { cudaStreamDestroy(stream_); }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    void finish() { SKY_CHECK(cudaStreamSynchronize(stream_)); }
protected:
    cudaStream_t stream_ = nullptr;
};

class Channelizer : public Stage {
public:
    explicit Channelizer(const Geometry& g) : g_(g) {}
    void process(int index, const short* voltages, short* scratch, float* spectra, unsigned* progress);
private:
    Geometry g_;
};

class Integrator : public Stage {
public:
    explicit Integrator(const Geometry& g) : g_(g) {}
    void open(const float* spectra, const unsigned* progress, float* image);
private:
    Geometry g_;
};

}  // namespace sky
