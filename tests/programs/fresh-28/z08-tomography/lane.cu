#include "recon.h"

namespace recon {
namespace {

__device__ unsigned long long clockNs()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void rampFilter(const float* raw, float* filtered, int count, unsigned long long ns)
{
    for (unsigned long long t0 = clockNs(); clockNs() - t0 < ns;) __nanosleep(200);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        filtered[i] = 2.f * raw[i] + 1.f;
}

__global__ void spread(const float* filtered, int count, unsigned* volume, int voxels,
                       unsigned long long ns)
{
    for (unsigned long long t0 = clockNs(); clockNs() - t0 < ns;) __nanosleep(200);
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < voxels; v += gridDim.x * blockDim.x) {
        unsigned sum = 0;
        for (int i = v; i < count; i += voxels) sum += static_cast<unsigned>(filtered[i]);
        volume[v] += sum;
    }
}

}  // namespace

Lane::Lane(const Geometry& g) : geometry_(g)
{
    int device = 0;
    RC(cudaGetDevice(&device));
    RC(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));

    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeNone;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    RC(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    RC(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));

    RC(cudaMalloc(&volume_, sizeof(*volume_) * g.voxels));
    clear();
}

Lane::~Lane()
{
    cudaStreamSynchronize(stream_);
    cudaFree(volume_);
    cudaMemPoolDestroy(pool_);
    cudaStreamDestroy(stream_);
}

void Lane::clear()
{
    RC(cudaMemsetAsync(volume_, 0, sizeof(*volume_) * geometry_.voxels, stream_));
}

void Lane::backproject(const Scan& scan, int angle)
{
    const std::size_t n = geometry_.projectionFloats();
    float *raw = nullptr, *filtered = nullptr;
    RC(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&raw), n * sizeof(float), pool_, stream_));
    RC(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&filtered), n * sizeof(float), pool_, stream_));
    RC(cudaMemcpyAsync(raw, scan.projection(angle), n * sizeof(float), cudaMemcpyHostToDevice, stream_));
    rampFilter<<<8, 256, 0, stream_>>>(raw, filtered, static_cast<int>(n), 3000000ull);
    RC(cudaGetLastError());
    RC(cudaFreeAsync(raw, stream_));
    spread<<<8, 256, 0, stream_>>>(filtered, static_cast<int>(n), volume_, geometry_.voxels, 5000000ull);
    RC(cudaGetLastError());
    RC(cudaFreeAsync(filtered, stream_));
}

std::vector<unsigned> Lane::volume() const
{
    std::vector<unsigned> host(geometry_.voxels);
    RC(cudaMemcpy(host.data(), volume_, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace recon
