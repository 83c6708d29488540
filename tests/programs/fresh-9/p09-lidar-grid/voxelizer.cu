#include "voxelizer.h"

namespace vox {
namespace {

__device__ void calibrate(unsigned long long ns) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - start < ns);
}

__global__ void compute_keys(const std::uint32_t* in, std::size_t n, std::uint32_t cells, std::uint32_t* keys) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
        keys[i] = key_of(in[i], cells);
}

__global__ void mark_occupancy(const std::uint32_t* keys, std::size_t n, std::uint32_t* occupancy) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
        atomicAdd(&occupancy[keys[i]], 1u);
}

__global__ void gather_intensity(const std::uint32_t* in, const std::uint32_t* keys, std::size_t n,
                                 std::uint32_t* intensity, unsigned long long ns) {
    calibrate(ns);
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
        atomicAdd(&intensity[keys[i]], intensity_of(in[i]));
}

__global__ void rank_returns(std::size_t n, std::uint32_t cells, std::uint32_t* rank, std::uint32_t* tie) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
        rank[i] = rank_of(static_cast<std::uint32_t>(i), cells);
        tie[i] = static_cast<std::uint32_t>(i) & 15u;
    }
}

__global__ void emit_order(const std::uint32_t* rank, const std::uint32_t* tie, std::size_t n, std::uint32_t* order) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
        order[i] = rank[i] * 16u + tie[i];
}

}  // namespace

voxelizer::voxelizer(options opt, memory_resource& mr) : opt_(opt), mr_(mr) {
    check(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&keys_ready_, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&side_done_, cudaEventDisableTiming));
}

voxelizer::~voxelizer() {
    cudaStreamSynchronize(side_);
    cudaEventDestroy(side_done_);
    cudaEventDestroy(keys_ready_);
    cudaStreamDestroy(side_);
}

void voxelizer::process(sweep_view in, grid_view out, cudaStream_t stream) {
    const std::size_t grid_bytes = opt_.cells * sizeof(std::uint32_t);
    check(cudaMemsetAsync(out.occupancy, 0, grid_bytes, stream));
    check(cudaMemsetAsync(out.intensity, 0, grid_bytes, stream));

    {
        device_buffer<std::uint32_t> keys(in.count, stream, mr_);
        compute_keys<<<opt_.blocks, opt_.threads, 0, stream>>>(in.ranges, in.count, opt_.cells, keys.data());
        check(cudaGetLastError());
        mark_occupancy<<<opt_.blocks, opt_.threads, 0, stream>>>(keys.data(), in.count, out.occupancy);
        check(cudaGetLastError());

        check(cudaEventRecord(keys_ready_, stream));
        check(cudaStreamWaitEvent(side_, keys_ready_, 0));
        gather_intensity<<<opt_.blocks, opt_.threads, 0, side_>>>(in.ranges, keys.data(), in.count, out.intensity,
                                                                  opt_.beam_model_ns);
        check(cudaGetLastError());
        keys.set_stream(side_);
        check(cudaEventRecord(side_done_, side_));
    }

    device_buffer<std::uint32_t> rank(in.count, stream, mr_);
    device_buffer<std::uint32_t> tie(in.count, stream, mr_);
    rank_returns<<<opt_.blocks, opt_.threads, 0, stream>>>(in.count, opt_.cells, rank.data(), tie.data());
    check(cudaGetLastError());
    emit_order<<<opt_.blocks, opt_.threads, 0, stream>>>(rank.data(), tie.data(), in.count, out.order);
    check(cudaGetLastError());

    check(cudaStreamWaitEvent(stream, side_done_, 0));
}

}  // namespace vox
