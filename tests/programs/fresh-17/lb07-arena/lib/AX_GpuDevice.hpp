#ifndef AX_GPU_DEVICE_HPP_
#define AX_GPU_DEVICE_HPP_
#include <cuda_runtime.h>
#include <string>
#include <vector>

namespace ax {

[[noreturn]] void Abort (const std::string& msg);

using gpuStream_t = cudaStream_t;

namespace Gpu {

#define AX_CUDA_SAFE_CALL(call) { \
    cudaError_t ax_i_err = call; \
    if (cudaSuccess != ax_i_err) { \
        ax::Abort(std::string("CUDA error ") + cudaGetErrorString(ax_i_err) \
                  + " in file " + __FILE__ + " line " + std::to_string(__LINE__)); \
    }}

class Device
{
public:
    static void Initialize (int max_streams = 4);
    static void Finalize ();

    static int numGpuStreams () noexcept { return static_cast<int>(gpu_streams.size()); }
    static gpuStream_t gpuStream () noexcept { return gpu_stream; }
    //! Streams are used in turn by the iterations over boxes.
    static void setStreamIndex (int idx) noexcept { gpu_stream = gpu_streams[idx % numGpuStreams()]; }
    static void resetStreamIndex () noexcept { setStreamIndex(0); }

    static void streamSynchronize ();
    static void streamSynchronizeAll ();

private:
    static std::vector<gpuStream_t> gpu_streams;
    static gpuStream_t gpu_stream;
};

inline gpuStream_t gpuStream () noexcept { return Device::gpuStream(); }
inline void streamSynchronize () { Device::streamSynchronize(); }
inline void streamSynchronizeAll () { Device::streamSynchronizeAll(); }

} // namespace Gpu
} // namespace ax
#endif
