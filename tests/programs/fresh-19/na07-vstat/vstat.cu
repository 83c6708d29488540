/* vstat.cu - small vector statistics, plain C interface.
 *
 * Every vstat_* reduction is blocking: on return the numbers are in *out. The
 * reduction itself is ordered on `stream` behind whatever produced d_x. A
 * workspace may be used with any stream, by one host thread at a time.
 */
#include <cuda_runtime.h>

#include <cfloat>
#include <cstdlib>

extern "C" {
struct vstat_workspace_s;
typedef struct vstat_workspace_s* vstat_workspace;
struct vstat_moments_t { double mean, variance; };
struct vstat_extrema_t { float lo, hi; };

cudaError_t vstat_workspace_create(vstat_workspace* ws);
cudaError_t vstat_workspace_destroy(vstat_workspace ws);
cudaError_t vstat_moments(vstat_workspace ws, const float* d_x, size_t n,
                          vstat_moments_t* out, cudaStream_t stream);
cudaError_t vstat_extrema(vstat_workspace ws, const float* d_x, size_t n,
                          vstat_extrema_t* out, cudaStream_t stream);
}

namespace {

constexpr int kThreads = 512;

union Slot {
  double sums[2];
  float ends[2];
};

__global__ void moments_kernel(const float* x, size_t n, Slot* dst) {
  __shared__ double s0[kThreads], s1[kThreads];
  double a = 0, b = 0;
  for (size_t i = threadIdx.x; i < n; i += kThreads) {
    double v = x[i];
    a += v;
    b += v * v;
  }
  s0[threadIdx.x] = a;
  s1[threadIdx.x] = b;
  __syncthreads();
  for (int h = kThreads / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) {
      s0[threadIdx.x] += s0[threadIdx.x + h];
      s1[threadIdx.x] += s1[threadIdx.x + h];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    dst->sums[0] = s0[0];
    dst->sums[1] = s1[0];
  }
}

__global__ void extrema_kernel(const float* x, size_t n, Slot* dst) {
  __shared__ float lo[kThreads], hi[kThreads];
  float a = FLT_MAX, b = -FLT_MAX;
  for (size_t i = threadIdx.x; i < n; i += kThreads) {
    a = fminf(a, x[i]);
    b = fmaxf(b, x[i]);
  }
  lo[threadIdx.x] = a;
  hi[threadIdx.x] = b;
  __syncthreads();
  for (int h = kThreads / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) {
      lo[threadIdx.x] = fminf(lo[threadIdx.x], lo[threadIdx.x + h]);
      hi[threadIdx.x] = fmaxf(hi[threadIdx.x], hi[threadIdx.x + h]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    dst->ends[0] = lo[0];
    dst->ends[1] = hi[0];
  }
}

}  // namespace

struct vstat_workspace_s {
  Slot* dev;
  Slot* host;
};

#define VTRY(x)                         \
  do {                                  \
    cudaError_t e_ = (x);               \
    if (e_ != cudaSuccess) return e_;   \
  } while (0)

cudaError_t vstat_workspace_create(vstat_workspace* ws) {
  if (!ws) return cudaErrorInvalidValue;
  auto* w = static_cast<vstat_workspace_s*>(std::calloc(1, sizeof(vstat_workspace_s)));
  if (!w) return cudaErrorMemoryAllocation;
  cudaError_t e = cudaMalloc(reinterpret_cast<void**>(&w->dev), sizeof(Slot));
  if (e == cudaSuccess) e = cudaMallocHost(reinterpret_cast<void**>(&w->host), sizeof(Slot));
  if (e != cudaSuccess) {
    cudaFree(w->dev);
    std::free(w);
    return e;
  }
  *w->host = Slot{};
  *ws = w;
  return cudaSuccess;
}

cudaError_t vstat_workspace_destroy(vstat_workspace ws) {
  if (!ws) return cudaSuccess;
  cudaError_t e = cudaFree(ws->dev);
  cudaError_t f = cudaFreeHost(ws->host);
  std::free(ws);
  return e != cudaSuccess ? e : f;
}

cudaError_t vstat_moments(vstat_workspace ws, const float* d_x, size_t n,
                          vstat_moments_t* out, cudaStream_t stream) {
  if (!ws || !d_x || !out || n == 0) return cudaErrorInvalidValue;
  moments_kernel<<<1, kThreads, 0, stream>>>(d_x, n, ws->dev);
  VTRY(cudaGetLastError());
  VTRY(cudaMemcpyAsync(ws->host, ws->dev, sizeof(Slot), cudaMemcpyDeviceToHost, stream));
  VTRY(cudaStreamSynchronize(stream));
  out->mean = ws->host->sums[0] / n;
  out->variance = ws->host->sums[1] / n - out->mean * out->mean;
  return cudaSuccess;
}

cudaError_t vstat_extrema(vstat_workspace ws, const float* d_x, size_t n,
                          vstat_extrema_t* out, cudaStream_t stream) {
  if (!ws || !d_x || !out || n == 0) return cudaErrorInvalidValue;
  extrema_kernel<<<1, kThreads, 0, stream>>>(d_x, n, ws->dev);
  VTRY(cudaGetLastError());
  VTRY(cudaMemcpyAsync(ws->host, ws->dev, sizeof(Slot), cudaMemcpyDeviceToHost, stream));
  out->lo = ws->host->ends[0];
  out->hi = ws->host->ends[1];
  return cudaSuccess;
}
