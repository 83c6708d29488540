// Single-pass inclusive scan of 32-bit counters with decoupled look-back.
// Stream ordered; the temporary storage comes from the caller:
//   scan_temp_bytes(n) bytes, aligned to 8, not shared by calls that may overlap.
#include <cuda_runtime.h>
#include <cuda/atomic>
#include <cstddef>
#include <cstdint>

namespace lookback {

constexpr int kThreads = 256;
constexpr int kItems = 8;
constexpr int kTile = kThreads * kItems;

// Tile descriptor: status in the high word, value in the low word.  Both travel in
// one 64-bit access, so a reader that sees the status has the value as well.
enum : std::uint32_t { kEmpty = 0, kAggregate = 1, kPrefix = 2 };

struct Temp {
    unsigned ticket;
    unsigned pad;
    // followed by one std::uint64_t per tile
};
static_assert(sizeof(Temp) == 8, "descriptors stay aligned");

using Word = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>;

__device__ inline void publish(std::uint64_t *desc, std::uint32_t status, std::uint32_t value)
{
    Word(*desc).store((std::uint64_t(status) << 32) | value, cuda::memory_order_relaxed);
}

// Sum of all tiles before `tile`; called by one thread.
__device__ inline std::uint32_t look_back(std::uint64_t *desc, int tile)
{
    std::uint32_t sum = 0;
    for (int t = tile - 1; t >= 0; --t) {
        std::uint64_t w;
        while (std::uint32_t((w = Word(desc[t]).load(cuda::memory_order_relaxed)) >> 32) == kEmpty) __nanosleep(32);
        sum += std::uint32_t(w);
        if (std::uint32_t(w >> 32) == kPrefix) break;
    }
    return sum;
}

__global__ void __launch_bounds__(kThreads)
scan_kernel(const std::uint32_t *in, std::uint32_t *out, int n, Temp *temp)
{
    __shared__ int s_tile;
    __shared__ std::uint32_t s_warp[kThreads / 32];
    __shared__ std::uint32_t s_prefix;
    auto *desc = reinterpret_cast<std::uint64_t *>(temp + 1);

    // The ticket, not blockIdx, decides the tile: whoever holds a smaller ticket
    // has been scheduled before us and needs nothing from us to finish.
    if (threadIdx.x == 0) s_tile = static_cast<int>(atomicAdd(&temp->ticket, 1u));
    __syncthreads();
    const int tile = s_tile;

    const std::size_t first = std::size_t(tile) * kTile + std::size_t(threadIdx.x) * kItems;
    std::uint32_t v[kItems];
    std::uint32_t mine = 0;
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
        v[k] = first + k < std::size_t(n) ? in[first + k] : 0u;
        mine += v[k];
    }

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    std::uint32_t inc = mine;
    for (int d = 1; d < 32; d <<= 1) {
        const std::uint32_t t = __shfl_up_sync(0xffffffffu, inc, d);
        if (lane >= d) inc += t;
    }
    if (lane == 31) s_warp[warp] = inc;
    __syncthreads();
    std::uint32_t before = 0, total = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) before += s_warp[w];
        total += s_warp[w];
    }

    if (threadIdx.x == 0) {
        std::uint32_t prefix = 0;
        if (tile > 0) {
            publish(&desc[tile], kAggregate, total);   // before waiting for anybody
            prefix = look_back(desc, tile);
        }
        publish(&desc[tile], kPrefix, prefix + total);
        s_prefix = prefix;
    }
    __syncthreads();

    std::uint32_t run = s_prefix + before + inc - mine;
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
        run += v[k];
        if (first + k < std::size_t(n)) out[first + k] = run;
    }
}

inline int tiles_of(int n) { return static_cast<int>((static_cast<long long>(n) + kTile - 1) / kTile); }

}  // namespace lookback

extern "C" size_t scan_temp_bytes(int n)
{
    return sizeof(lookback::Temp) + sizeof(std::uint64_t) * std::size_t(n > 0 ? lookback::tiles_of(n) : 0);
}

// In-place operation (in == out) is allowed: a tile reads its part before writing it.
extern "C" cudaError_t scan_inclusive_u32(void *temp, size_t temp_bytes, const uint32_t *in, uint32_t *out, int n,
                                          cudaStream_t stream)
{
    if (n < 0 || !temp || temp_bytes < scan_temp_bytes(n)) return cudaErrorInvalidValue;
    if (reinterpret_cast<std::uintptr_t>(temp) % 8) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    // Ticket and descriptors start from zero in every call.
    const cudaError_t e = cudaMemsetAsync(temp, 0, scan_temp_bytes(n), stream);
    if (e != cudaSuccess) return e;
    lookback::scan_kernel<<<lookback::tiles_of(n), lookback::kThreads, 0, stream>>>(
        in, out, n, static_cast<lookback::Temp *>(temp));
    return cudaGetLastError();
}
