#include "AX_GpuDevice.hpp"
#include <cstdio>
#include <cstdlib>

namespace ax {

void Abort (const std::string& msg)
{
    std::fprintf(stderr, "ax::Abort: %s\n", msg.c_str());
    std::abort();
}

namespace Gpu {

std::vector<gpuStream_t> Device::gpu_streams;
gpuStream_t Device::gpu_stream = nullptr;

void Device::Initialize (int max_streams)
{
    gpu_streams.resize(max_streams);
    for (auto& s : gpu_streams) {
        AX_CUDA_SAFE_CALL(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    resetStreamIndex();
}

void Device::Finalize ()
{
    streamSynchronizeAll();
    for (auto& s : gpu_streams) {
        AX_CUDA_SAFE_CALL(cudaStreamDestroy(s));
    }
    gpu_streams.clear();
    gpu_stream = nullptr;
}

void Device::streamSynchronize ()
{
    AX_CUDA_SAFE_CALL(cudaStreamSynchronize(gpu_stream));
}

void Device::streamSynchronizeAll ()
{
    for (auto const& s : gpu_streams) {
        AX_CUDA_SAFE_CALL(cudaStreamSynchronize(s));
    }
}

}} // namespace ax::Gpu
