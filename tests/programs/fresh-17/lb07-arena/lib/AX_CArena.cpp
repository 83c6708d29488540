#include "AX_CArena.hpp"
#include "AX_GpuDevice.hpp"
#include <algorithm>

namespace ax {

CArena::CArena (std::size_t slab_size)
    : m_slab_size(align(slab_size))
{
    AX_CUDA_SAFE_CALL(cudaMalloc(reinterpret_cast<void**>(&m_slab), m_slab_size));
    m_freelist.emplace(m_slab, m_slab_size);
}

CArena::~CArena ()
{
    Gpu::streamSynchronizeAll();
    AX_CUDA_SAFE_CALL(cudaFree(m_slab));
}

void* CArena::alloc_in_slab (std::size_t nbytes)
{
    for (auto it = m_freelist.begin(); it != m_freelist.end(); ++it) {
        if (it->second >= nbytes) {
            char* p = it->first;
            const std::size_t rest = it->second - nbytes;
            m_freelist.erase(it);
            if (rest > 0) { m_freelist.emplace(p + nbytes, rest); }
            m_busylist.emplace(p, nbytes);
            m_used += nbytes;
            m_highest = std::max(m_highest, m_used);
            return p;
        }
    }
    return nullptr;
}

void* CArena::alloc (std::size_t nbytes)
{
    nbytes = align(std::max<std::size_t>(nbytes, 1));
    std::unique_lock<std::mutex> lock(carena_mutex);
    void* p = alloc_in_slab(nbytes);
    if (p == nullptr) {
        // Temporaries of iterations in flight come back when their streams get there.
        Gpu::streamSynchronizeAll();
        p = alloc_in_slab(nbytes);
    }
    if (p == nullptr) {
        Abort("CArena: out of memory, " + std::to_string(nbytes) + " bytes requested, "
              + std::to_string(m_slab_size - m_used) + " left");
    }
    return p;
}

void CArena::free (void* vp)
{
    if (vp == nullptr) { return; }
    std::lock_guard<std::mutex> lock(carena_mutex);
    auto busy = m_busylist.find(vp);
    if (busy == m_busylist.end()) {
        Abort("CArena::free: unknown pointer");
    }
    std::size_t size = busy->second;
    m_busylist.erase(busy);
    m_used -= size;

    char* p = static_cast<char*>(vp);
    auto next = m_freelist.lower_bound(p);
    if (next != m_freelist.end() && p + size == next->first) {
        size += next->second;
        next = m_freelist.erase(next);
    }
    if (next != m_freelist.begin()) {
        auto prev = std::prev(next);
        if (prev->first + prev->second == p) {
            prev->second += size;
            return;
        }
    }
    m_freelist.emplace(p, size);
}

} // namespace ax
