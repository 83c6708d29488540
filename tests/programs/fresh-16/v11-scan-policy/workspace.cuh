#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ct {

#define CT_CALL(expr)                                            \
    do {                                                         \
        const cudaError_t ct_e = (expr);                         \
        if (ct_e != cudaSuccess) {                               \
            std::printf("ERROR %s\n", cudaGetErrorName(ct_e));   \
            std::fflush(stdout);                                 \
            std::_Exit(1);                                       \
        }                                                        \
    } while (0)

// Policies that say whether a buffer of `have` bytes serves a need of `want`.
struct monotonic_policy {
    static bool keep(std::size_t have, std::size_t want) { return have >= want; }
    static std::size_t grow(std::size_t want) { return want; }
};

struct compact_policy {
    static bool keep(std::size_t have, std::size_t want)
    {
        return have >= want && have <= 2 * want;
    }
    static std::size_t grow(std::size_t want) { return want + want / 8; }
};

template <typename Policy>
class workspace {
public:
    workspace() = default;
    workspace(const workspace&) = delete;
    workspace& operator=(const workspace&) = delete;
    ~workspace() { cudaFree(data_); }

    template <typename T>
    T* get(std::size_t count)
    {
        const std::size_t want = count * sizeof(T);
        if (!Policy::keep(bytes_, want)) reset(Policy::grow(want));
        return static_cast<T*>(data_);
    }

private:
    void reset(std::size_t bytes)
    {
        CT_CALL(cudaFree(data_));
        CT_CALL(cudaMalloc(&data_, bytes));
        bytes_ = bytes;
    }

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace ct
