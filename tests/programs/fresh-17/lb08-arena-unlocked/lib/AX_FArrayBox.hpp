#ifndef AX_FARRAYBOX_HPP_
#define AX_FARRAYBOX_HPP_
#include "AX_CArena.hpp"
#include "AX_GpuDevice.hpp"
#include <memory>
#include <utility>

namespace ax {

using Real = double;

namespace Gpu {

namespace detail {
struct ElixirParcel { void* p; Arena* arena; };
inline void CUDART_CB elixir_delete (void* data)
{
    std::unique_ptr<ElixirParcel> parcel(static_cast<ElixirParcel*>(data));
    parcel->arena->free(parcel->p);
}
} // namespace detail

/**
 * Keeps a temporary alive until the work launched in the current stream
 * up to the end of the Elixir's life is done.
 */
class Elixir
{
public:
    Elixir () noexcept = default;
    Elixir (void* p, Arena* arena) noexcept : m_p(p), m_arena(arena) {}
    Elixir (Elixir&& rhs) noexcept : m_p(std::exchange(rhs.m_p, nullptr)), m_arena(rhs.m_arena) {}
    Elixir& operator= (Elixir&&) = delete;
    ~Elixir () { clear(); }
    void clear ()
    {
        if (m_p) {
            auto* parcel = new detail::ElixirParcel{m_p, m_arena};
            AX_CUDA_SAFE_CALL(cudaLaunchHostFunc(Gpu::gpuStream(), detail::elixir_delete, parcel));
            m_p = nullptr;
        }
    }
private:
    void* m_p = nullptr;
    Arena* m_arena = nullptr;
};
} // namespace Gpu

//! Cell data of one box
class FArrayBox
{
public:
    FArrayBox (int ncells, Arena* arena)
        : m_n(ncells), m_arena(arena), m_p(static_cast<Real*>(arena->alloc(sizeof(Real) * ncells))) {}
    ~FArrayBox () { if (m_owner) { m_arena->free(m_p); } }
    FArrayBox (const FArrayBox&) = delete;
    FArrayBox& operator= (const FArrayBox&) = delete;

    [[nodiscard]] Gpu::Elixir elixir () noexcept { m_owner = false; return {m_p, m_arena}; }
    Real* dataPtr () const noexcept { return m_p; }
    int size () const noexcept { return m_n; }

private:
    int m_n;
    Arena* m_arena;
    Real* m_p;
    bool m_owner = true;
};

#ifdef __CUDACC__
template <class F>
__global__ void launch_global (F f, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) { f(i); }
}

template <class F>
void ParallelFor (int n, F const& f)
{
    if (n <= 0) { return; }
    const int blocks = n / 256 < 32 ? n / 256 + 1 : 32;
    launch_global<<<blocks, 256, 0, Gpu::gpuStream()>>>(f, n);
    AX_CUDA_SAFE_CALL(cudaGetLastError());
}
#endif

} // namespace ax
#endif
