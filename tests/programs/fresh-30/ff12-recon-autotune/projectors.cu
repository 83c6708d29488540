#include "projector.h"

namespace ct {
namespace {

// Accumulates the views [first, last); a view takes usPerView microseconds.
__global__ void accumulate(Geometry g, const int* sinogram, int* volume, int first, int last, int usPerView)
{
    for (int view = first; view < last; ++view) {
        unsigned long long begin, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) : : "memory");
        for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < g.voxels; v += gridDim.x * blockDim.x)
            atomicAdd(&volume[v], sinogram[view * g.detectors + g.hit(v, view)]);
        do {
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
        } while (now - begin < 1000ull * usPerView);
    }
}

void launch(Study& study, int first, int last, int usPerView, cudaStream_t stream)
{
    accumulate<<<32, 256, 0, stream>>>(study.geometry(), study.sinogram(), study.volume(), first, last, usPerView);
    check(cudaGetLastError());
}

class VoxelDriven : public BackProjector {
public:
    std::string name() const override { return "voxel-driven"; }

protected:
    void project(Study& study, cudaStream_t stream) override
    {
        launch(study, 0, study.geometry().views, 200, stream);
    }
};

// Textured variant that takes the views in groups.
class Grouped : public BackProjector {
public:
    std::string name() const override { return "grouped"; }

protected:
    void project(Study& study, cudaStream_t stream) override
    {
        const int views = study.geometry().views;
        for (int first = 0; first < views; first += 16) launch(study, first, first + 16, 170, stream);
    }
};

// Short-scan views on the caller's stream; the redundant rest, which needs the costlier
// Parker weights, on a stream of its own.
class ShortScan : public BackProjector {
public:
    ShortScan() : prepared_(cudaEventDisableTiming), rest_(cudaEventDisableTiming) {}
    std::string name() const override { return "short-scan"; }

    std::vector<int> collect(Study& study, cudaStream_t stream) override
    {
        check(cudaStreamWaitEvent(stream, rest_, 0));
        return BackProjector::collect(study, stream);
    }

protected:
    void project(Study& study, cudaStream_t stream) override
    {
        const int views = study.geometry().views, split = views * 5 / 8;
        check(cudaEventRecord(prepared_, stream));
        check(cudaStreamWaitEvent(side_, prepared_, 0));
        launch(study, split, views, 600, side_);
        check(cudaEventRecord(rest_, side_));
        launch(study, 0, split, 150, stream);
    }

private:
    CudaStream side_;
    CudaEvent prepared_, rest_;
};

}  // namespace

Study::Study(const Geometry& geometry) : geometry_(geometry), measured_(geometry.views * geometry.detectors)
{
    for (std::size_t i = 0; i < measured_.size(); ++i) measured_[i] = int(i * 2654435761u >> 24);
    check(cudaMalloc(&sinogram_, measured_.size() * sizeof(int)));
    check(cudaMalloc(&volume_, geometry_.voxels * sizeof(int)));
    check(cudaMemcpy(sinogram_, measured_.data(), measured_.size() * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
}

Study::~Study()
{
    cudaFree(sinogram_);
    cudaFree(volume_);
}

void BackProjector::prepare(Study& study, cudaStream_t stream)
{
    check(cudaMemsetAsync(study.volume(), 0, study.geometry().voxels * sizeof(int), stream));
}

std::vector<int> BackProjector::collect(Study& study, cudaStream_t stream)
{
    std::vector<int> volume(study.geometry().voxels);
    check(cudaMemcpyAsync(volume.data(), study.volume(), volume.size() * sizeof(int), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    return volume;
}

std::vector<std::unique_ptr<BackProjector>> allProjectors()
{
    std::vector<std::unique_ptr<BackProjector>> all;
    all.push_back(std::make_unique<VoxelDriven>());
    all.push_back(std::make_unique<Grouped>());
    all.push_back(std::make_unique<ShortScan>());
    return all;
}

}  // namespace ct
