#include "pricer.h"
#include "paths.cuh"
#include <cub/device/device_reduce.cuh>

namespace mc {

Pricer::Pricer(int paths) : paths_(paths)
{
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    MUST(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    int off = 0;
    MUST(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    MUST(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &off));

    MUST(cudaHostAlloc((void**)&sums_, kInFlight * sizeof(std::uint32_t), cudaHostAllocDefault));
    for (auto& s : lanes_)
        MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (auto& e : done_)
        MUST(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    std::uint32_t* none = nullptr;
    MUST(cub::DeviceReduce::Sum(nullptr, scratch_, none, none, paths_));
    primePool();
}

Pricer::~Pricer()
{
    for (auto s : lanes_)
        cudaStreamDestroy(s);
    for (auto e : done_)
        cudaEventDestroy(e);
    cudaFreeHost(sums_);
    cudaMemPoolDestroy(pool_);
}

void Pricer::primePool()
{
    const std::size_t whole = (paths_ + 1) * sizeof(std::uint32_t) + scratch_ + (4u << 20);
    std::array<void*, kLanes> block{};
    for (int i = 0; i < kLanes; ++i)
        MUST(cudaMallocFromPoolAsync(&block[i], whole, pool_, lanes_[i]));
    for (int i = 0; i < kLanes; ++i)
        MUST(cudaFreeAsync(block[i], lanes_[i]));
    for (auto s : lanes_)
        MUST(cudaStreamSynchronize(s));
}

void Pricer::submit(int batch)
{
    cudaStream_t s = lanes_[batch % kLanes];
    std::uint32_t *path = nullptr, *sum = nullptr;
    void* scratch = nullptr;
    std::size_t bytes = scratch_;

    MUST(cudaMallocFromPoolAsync((void**)&path, paths_ * sizeof *path, pool_, s));
    simulate<10000><<<24, 256, 0, s>>>(path, paths_, batch);
    MUST(cudaGetLastError());

    MUST(cudaMallocFromPoolAsync((void**)&sum, sizeof *sum, pool_, s));
    MUST(cudaMallocFromPoolAsync(&scratch, bytes, pool_, s));
    MUST(cub::DeviceReduce::Sum(scratch, bytes, path, sum, paths_, s));
    MUST(cudaFreeAsync(scratch, s));
    MUST(cudaFreeAsync(path, s));

    MUST(cudaMemcpyAsync(sums_ + batch % kInFlight, sum, sizeof *sum, cudaMemcpyDeviceToHost, s));
    MUST(cudaFreeAsync(sum, s));
    MUST(cudaEventRecord(done_[batch % kInFlight], s));
}

void Pricer::run(int first, int last, const Sink& sink)
{
    int next = first;
    auto merge = [&] {
        MUST(cudaEventSynchronize(done_[next % kInFlight]));
        sink(next, sums_[next % kInFlight]);
        ++next;
    };
    for (int b = first; b < last; ++b) {
        if (b - next == kInFlight)
            merge();
        submit(b);
    }
    while (next < last)
        merge();
}

}  // namespace mc
