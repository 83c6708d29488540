#include "memory.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace pricing {

void enforce(cudaError_t e, const char* what)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

pooled_resource::pooled_resource(int device)
{
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeNone;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    enforce(cudaMemPoolCreate(&pool_, &props), "pool");

    std::uint64_t hold = UINT64_MAX;
    enforce(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &hold), "threshold");
    int off = 0;
    enforce(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &off),
            "reuse");
}

pooled_resource::~pooled_resource() { cudaMemPoolDestroy(pool_); }

void* pooled_resource::allocate(std::size_t bytes, cudaStream_t stream)
{
    void* p = nullptr;
    enforce(cudaMallocFromPoolAsync(&p, bytes, pool_, stream), "allocate");
    return p;
}

void pooled_resource::deallocate(void* p, cudaStream_t stream) noexcept
{
    cudaFreeAsync(p, stream);
}

}  // namespace pricing
