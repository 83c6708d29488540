#ifndef MGL_H
#define MGL_H
/* MGL: structured one-dimensional fields over several parts of one device. */
#include <cuda_runtime.h>

typedef enum {
  MGL_SUCCESS = 0,
  MGL_ERR_ARG = 1,
  MGL_ERR_CUDA = 2
} MglErr;

typedef struct MglField_s *MglField;
typedef struct MglHalo_s *MglHalo;
typedef struct MglMonitor_s *MglMonitor;

#define MglCall(expr)                       \
  do {                                      \
    MglErr mgl_err_ = (expr);               \
    if (mgl_err_ != MGL_SUCCESS) return mgl_err_; \
  } while (0)

#define MglCudaCall(expr)                   \
  do {                                      \
    cudaError_t cu_err_ = (expr);           \
    if (cu_err_ != cudaSuccess) {           \
      MglSetLastCuda(cu_err_);              \
      return MGL_ERR_CUDA;                  \
    }                                       \
  } while (0)

void MglSetLastCuda(cudaError_t e);
const char *MglLastCudaName(void);

/* Fields: `parts` rows of `n` cells, each with one ghost cell at either end. */
MglErr MglFieldCreate(int parts, int n, MglField *out);
MglErr MglFieldDestroy(MglField *f);
MglErr MglFieldSet(MglField f, const unsigned *cells);
MglErr MglFieldGet(MglField f, unsigned *cells);

/* Smoothing of `src` into `dst`: cells that need no ghosts, then the others. */
MglErr MglSmoothInterior(MglField src, MglField dst, cudaStream_t stream);
MglErr MglSmoothEdges(MglField src, MglField dst, cudaStream_t stream);

/* Ghost update of periodic neighbours; Begin and End enclose other work. */
MglErr MglHaloCreate(int parts, MglHalo *out);
MglErr MglHaloDestroy(MglHalo *h);
MglErr MglHaloBegin(MglHalo h, MglField f, cudaStream_t stream);
MglErr MglHaloEnd(MglHalo h, cudaStream_t stream);

/* History of the sum of all cells. */
MglErr MglMonitorCreate(int capacity, MglMonitor *out);
MglErr MglMonitorDestroy(MglMonitor *m);
MglErr MglMonitorAdd(MglMonitor m, MglField f, cudaStream_t stream);
MglErr MglMonitorRead(MglMonitor m, const unsigned **sums, int *count);

#endif
