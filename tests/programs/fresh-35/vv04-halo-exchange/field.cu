#include <stdlib.h>

#include "mgl_impl.h"

static cudaError_t last_cuda = cudaSuccess;
void MglSetLastCuda(cudaError_t e) { last_cuda = e; }
const char *MglLastCudaName(void) { return cudaGetErrorName(last_cuda); }

MglErr MglFieldCreate(int parts, int n, MglField *out) {
  if (parts < 1 || n < 2) return MGL_ERR_ARG;
  MglField f = (MglField)calloc(1, sizeof(*f));
  f->parts = parts;
  f->n = n;
  size_t bytes = (size_t)parts * (n + 2) * sizeof(unsigned);
  MglCudaCall(cudaMalloc((void **)&f->cells, bytes));
  MglCudaCall(cudaMemset(f->cells, 0, bytes));
  *out = f;
  return MGL_SUCCESS;
}

MglErr MglFieldDestroy(MglField *f) {
  MglCudaCall(cudaFree((*f)->cells));
  free(*f);
  *f = NULL;
  return MGL_SUCCESS;
}

MglErr MglFieldSet(MglField f, const unsigned *cells) {
  MglCudaCall(cudaMemcpy2D(f->cells + 1, (f->n + 2) * sizeof(unsigned), cells,
                           f->n * sizeof(unsigned), f->n * sizeof(unsigned),
                           f->parts, cudaMemcpyHostToDevice));
  MglCudaCall(cudaDeviceSynchronize());
  return MGL_SUCCESS;
}

MglErr MglFieldGet(MglField f, unsigned *cells) {
  MglCudaCall(cudaDeviceSynchronize());
  MglCudaCall(cudaMemcpy2D(cells, f->n * sizeof(unsigned), f->cells + 1,
                           (f->n + 2) * sizeof(unsigned),
                           f->n * sizeof(unsigned), f->parts,
                           cudaMemcpyDeviceToHost));
  return MGL_SUCCESS;
}

__device__ static void smooth_cell(const unsigned *src, unsigned *dst, int i) {
  dst[i] = src[i - 1] + 2u * src[i] + src[i + 1];
}

__global__ static void interior_kernel(const unsigned *src, unsigned *dst,
                                       int n) {
  size_t row = (size_t)blockIdx.y * (n + 2);
  for (int i = 2 + blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    smooth_cell(src + row, dst + row, i);
}

__global__ static void edge_kernel(const unsigned *src, unsigned *dst, int n) {
  size_t row = (size_t)blockIdx.x * (n + 2);
  smooth_cell(src + row, dst + row, threadIdx.x == 0 ? 1 : n);
}

MglErr MglSmoothInterior(MglField src, MglField dst, cudaStream_t stream) {
  dim3 grid(8, src->parts);
  interior_kernel<<<grid, 256, 0, stream>>>(src->cells, dst->cells, src->n);
  MglCudaCall(cudaGetLastError());
  return MGL_SUCCESS;
}

MglErr MglSmoothEdges(MglField src, MglField dst, cudaStream_t stream) {
  edge_kernel<<<src->parts, 2, 0, stream>>>(src->cells, dst->cells, src->n);
  MglCudaCall(cudaGetLastError());
  return MGL_SUCCESS;
}
