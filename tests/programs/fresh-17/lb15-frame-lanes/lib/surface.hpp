#pragma once
#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace vpp {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void throwOnError(cudaError_t rc, const char *what)
{
    if (rc != cudaSuccess)
        throw Error(std::string(what) + ": " + cudaGetErrorString(rc));
}
#define VPP_CALL(x) ::vpp::throwOnError((x), #x)

struct Size {
    int width = 0;
    int height = 0;
};
inline bool operator==(Size a, Size b) { return a.width == b.width && a.height == b.height; }

// Non-owning view of an 8 bit luma plane
struct Plane {
    uint8_t *data = nullptr;
    size_t pitch = 0;
    Size size;
};

// Pitched device memory, allocated once per lane and stage
class Surface {
public:
    explicit Surface(Size size)
    {
        plane_.size = size;
        VPP_CALL(cudaMallocPitch(reinterpret_cast<void **>(&plane_.data), &plane_.pitch, size.width, size.height));
    }
    ~Surface() { cudaFree(plane_.data); }
    Surface(const Surface &) = delete;
    Surface &operator=(const Surface &) = delete;
    const Plane &plane() const { return plane_; }

private:
    Plane plane_;
};

} // namespace vpp
