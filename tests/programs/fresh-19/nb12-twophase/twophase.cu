// Stable stream compaction with the two-phase convention: call once with
// temp == nullptr to learn temp_bytes, then again with the storage.  Asynchronous
// on `stream`; no allocation, no synchronisation, capturable.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

namespace twophase {

constexpr int kBlock = 256;
constexpr int kItems = 4;
constexpr int kTile = kBlock * kItems;
constexpr std::size_t kAlign = 256;

struct TempLayout {
    std::size_t total = 0;
    std::size_t add(std::size_t bytes)
    {
        const std::size_t at = total;
        total += (bytes + kAlign - 1) / kAlign * kAlign;
        return at;
    }
};

// Exclusive scan over the block; every thread must call it.  *total is uniform.
__device__ int block_exclusive_scan(int v, int *total)
{
    __shared__ int warp_sums[kBlock / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int inc = v;
    for (int d = 1; d < 32; d <<= 1) {
        const int t = __shfl_up_sync(0xffffffffu, inc, d);
        if (lane >= d) inc += t;
    }
    if (lane == 31) warp_sums[warp] = inc;
    __syncthreads();
    int base = 0, all = 0;
    for (int w = 0; w < kBlock / 32; ++w) {
        const int s = warp_sums[w];
        if (w < warp) base += s;
        all += s;
    }
    __syncthreads();   // callers may scan again at once
    *total = all;
    return base + inc - v;
}

template <class T, class Pred>
__global__ void count_kernel(const T *in, int n, Pred pred, int *tile_counts)
{
    int mine = 0;
    const int first = blockIdx.x * kTile + threadIdx.x * kItems;
    for (int k = 0; k < kItems; ++k)
        if (first + k < n && pred(in[first + k])) ++mine;
    int total;
    (void)block_exclusive_scan(mine, &total);
    if (threadIdx.x == 0) tile_counts[blockIdx.x] = total;
}

// One block walks over all tiles, kBlock at a time.
__global__ void offsets_kernel(const int *tile_counts, int *tile_offsets, int tiles, int *num_selected)
{
    int carry = 0;
    for (int base = 0; base < tiles; base += kBlock) {   // uniform trip count
        const int i = base + threadIdx.x;
        const int v = i < tiles ? tile_counts[i] : 0;
        int total;
        const int off = block_exclusive_scan(v, &total);
        if (i < tiles) tile_offsets[i] = carry + off;
        carry += total;
    }
    if (threadIdx.x == 0) *num_selected = carry;
}

template <class T, class Pred>
__global__ void scatter_kernel(const T *in, int n, Pred pred, const int *tile_offsets, T *out)
{
    const int first = blockIdx.x * kTile + threadIdx.x * kItems;
    bool keep[kItems];
    int mine = 0;
    for (int k = 0; k < kItems; ++k) {
        keep[k] = first + k < n && pred(in[first + k]);
        mine += keep[k];
    }
    int total;
    int at = tile_offsets[blockIdx.x] + block_exclusive_scan(mine, &total);
    for (int k = 0; k < kItems; ++k)
        if (keep[k]) out[at++] = in[first + k];
}

// `in` and `out` must not overlap.  `num_selected` is a device pointer.
template <class T, class Pred>
cudaError_t select_if(void *temp, std::size_t &temp_bytes, const T *in, T *out, int *num_selected, int n, Pred pred,
                      cudaStream_t stream)
{
    if (n < 0) return cudaErrorInvalidValue;
    const int tiles = static_cast<int>((static_cast<long long>(n) + kTile - 1) / kTile);
    TempLayout layout;
    const std::size_t counts_at = layout.add(sizeof(int) * std::size_t(tiles ? tiles : 1));
    const std::size_t offsets_at = layout.add(sizeof(int) * std::size_t(tiles ? tiles : 1));
    const std::size_t need = layout.total + kAlign;   // room to align the caller's pointer
    if (!temp) {
        temp_bytes = need;
        return cudaSuccess;
    }
    if (temp_bytes < need) return cudaErrorInvalidValue;
    if (tiles == 0) return cudaMemsetAsync(num_selected, 0, sizeof(int), stream);

    const auto raw = reinterpret_cast<std::uintptr_t>(temp);
    auto *base = reinterpret_cast<char *>((raw + kAlign - 1) / kAlign * kAlign);
    int *counts = reinterpret_cast<int *>(base + counts_at);
    int *offsets = reinterpret_cast<int *>(base + offsets_at);

    count_kernel<<<tiles, kBlock, 0, stream>>>(in, n, pred, counts);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) return e;
    offsets_kernel<<<1, kBlock, 0, stream>>>(counts, offsets, tiles, num_selected);
    e = cudaGetLastError();
    if (e != cudaSuccess) return e;
    scatter_kernel<<<tiles, kBlock, 0, stream>>>(in, n, pred, offsets, out);
    return cudaGetLastError();
}

struct Above {
    float limit;
    __host__ __device__ bool operator()(float x) const { return x > limit; }
};
struct NonNegative {
    __host__ __device__ bool operator()(int x) const { return x >= 0; }
};

template cudaError_t select_if<float, Above>(void *, std::size_t &, const float *, float *, int *, int, Above,
                                             cudaStream_t);
template cudaError_t select_if<int, NonNegative>(void *, std::size_t &, const int *, int *, int *, int, NonNegative,
                                                 cudaStream_t);

// Convenience: temporary storage from the stream-ordered allocator.
cudaError_t select_above(const float *in, float *out, int *num_selected, int n, float limit, cudaStream_t stream)
{
    std::size_t bytes = 0;
    cudaError_t e = select_if(nullptr, bytes, in, out, num_selected, n, Above{limit}, stream);
    if (e != cudaSuccess) return e;
    void *temp = nullptr;
    e = cudaMallocAsync(&temp, bytes, stream);
    if (e != cudaSuccess) return e;
    e = select_if(temp, bytes, in, out, num_selected, n, Above{limit}, stream);
    const cudaError_t f = cudaFreeAsync(temp, stream);
    return e != cudaSuccess ? e : f;
}

}  // namespace twophase
