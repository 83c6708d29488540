/* kry: small relaxation library driven through an opaque context. Vector
 * operations are posted to an executor kernel through a host-mapped mailbox,
 * which keeps the per-operation latency near the PCIe round trip. */
#ifndef KRY_H
#define KRY_H

#include <cuda_runtime.h>
#include <stddef.h>

enum kry_op { KRY_OP_NONE = 0, KRY_OP_JACOBI, KRY_OP_AXPY, KRY_OP_SCALE, KRY_OP_QUIT };

typedef struct kry_mailbox {
    unsigned doorbell;
    unsigned completed;
    int op;
    int n;
    double alpha;
    double *x;
    double *y;
} kry_mailbox;

typedef struct kry_ctx {
    cudaStream_t exec_stream;
    cudaStream_t copy_stream;
    kry_mailbox *mb_host;
    kry_mailbox *mb_dev;
    unsigned seq;
    double *x;       /* workspace, capacity n_cap each */
    double *y;
    size_t n_cap;
    double *bounce;  /* page-locked, bounce_cap doubles */
    size_t bounce_cap;
} kry_ctx;

int kry_create(kry_ctx **out, size_t n_initial, size_t n_max);
int kry_reserve(kry_ctx *c, size_t n);
int kry_upload(kry_ctx *c, const double *src, size_t n);
int kry_download(kry_ctx *c, double *dst, size_t n);
void kry_jacobi(kry_ctx *c, int n, int sweeps);
void kry_axpy(kry_ctx *c, int n, double alpha);
void kry_scale(kry_ctx *c, int n, double alpha);
int kry_destroy(kry_ctx *c);

void kry_fail(cudaError_t e);
#define KRY_CALL(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) kry_fail(e_); } while (0)

#endif
