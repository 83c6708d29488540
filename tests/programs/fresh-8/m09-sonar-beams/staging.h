#ifndef SONAR_STAGING_H
#define SONAR_STAGING_H

#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sonar {

inline void verify(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::exit(1);
}

/// Page-locked bump allocator for small host-to-device parameters.
class StagingArena
{
public:
    explicit StagingArena(std::size_t capacity) : m_capacity(capacity)
    {
        verify(cudaMallocHost(&m_base, capacity));
    }
    ~StagingArena() { cudaFreeHost(m_base); }
    StagingArena(const StagingArena &) = delete;
    StagingArena &operator=(const StagingArena &) = delete;

    template <typename T> T *stage(const T *source, std::size_t count)
    {
        const std::size_t start = (m_top + 63) / 64 * 64;
        if (start + count * sizeof(T) > m_capacity) verify(cudaErrorMemoryAllocation);
        T *p = reinterpret_cast<T *>(m_base + start);
        std::memcpy(p, source, count * sizeof(T));
        m_top = start + count * sizeof(T);
        return p;
    }

private:
    char *m_base = nullptr;
    std::size_t m_capacity;
    std::size_t m_top = 0;
};

} // namespace sonar
#endif
