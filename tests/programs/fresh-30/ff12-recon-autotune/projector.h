#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ct {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw CudaFailure(e);
}

struct Geometry {
    int views = 64;
    int detectors = 256;
    int voxels = 128 * 128;
    // Which detector voxel v sees in a view.
    __host__ __device__ int hit(int voxel, int view) const { return (voxel * 5 + view * 17) % detectors; }
};

class CudaStream {
public:
    CudaStream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~CudaStream() { cudaStreamDestroy(stream_); }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_{};
};

class CudaEvent {
public:
    explicit CudaEvent(unsigned flags = cudaEventDefault) { check(cudaEventCreateWithFlags(&event_, flags)); }
    ~CudaEvent() { cudaEventDestroy(event_); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    operator cudaEvent_t() const { return event_; }

private:
    cudaEvent_t event_{};
};

// Device-side sinogram and volume of one scan.
class Study {
public:
    explicit Study(const Geometry& geometry);
    ~Study();
    const Geometry& geometry() const { return geometry_; }
    const int* sinogram() const { return sinogram_; }
    int* volume() const { return volume_; }
    const std::vector<int>& measured() const { return measured_; }

private:
    Geometry geometry_;
    std::vector<int> measured_;
    int* sinogram_{};
    int* volume_{};
};

class BackProjector {
public:
    virtual ~BackProjector() = default;
    virtual std::string name() const = 0;
    // Queues one reconstruction of the study.
    void enqueue(Study& study, cudaStream_t stream)
    {
        prepare(study, stream);
        project(study, stream);
    }
    // The finished volume.
    virtual std::vector<int> collect(Study& study, cudaStream_t stream);

protected:
    virtual void prepare(Study& study, cudaStream_t stream);
    virtual void project(Study& study, cudaStream_t stream) = 0;
};

std::vector<std::unique_ptr<BackProjector>> allProjectors();

}  // namespace ct
