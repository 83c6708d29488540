#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace tc {

struct CudaFault {
    cudaError_t code;
};

inline void must(cudaError_t code)
{
    if (code != cudaSuccess) throw CudaFault{code};
}

using Word = unsigned;

// Where frames live on the host while they travel to and from the encoder.
using Frame = std::vector<Word>;

struct StreamDestroy {
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
using StreamHandle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDestroy>;

inline StreamHandle make_stream()
{
    cudaStream_t s{};
    must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamHandle(s);
}

struct DeviceDelete {
    void operator()(Word* p) const noexcept { cudaFree(p); }
};
using DeviceFrame = std::unique_ptr<Word[], DeviceDelete>;

inline DeviceFrame make_device_frame(std::size_t words)
{
    Word* p = nullptr;
    must(cudaMalloc(reinterpret_cast<void**>(&p), words * sizeof(Word)));
    return DeviceFrame(p);
}

template <class F>
double seconds(F&& body)
{
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    std::forward<F>(body)();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

}  // namespace tc
