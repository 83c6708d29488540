#include "common.cuh"
#include <cstring>

struct mgml_backend {
    mgml_cuda_context * ctx;
};

size_t mgml_type_size(enum mgml_type type) { return type == MGML_TYPE_I32 ? sizeof(int32_t) : sizeof(float); }

size_t mgml_nbytes(const mgml_tensor * t) {
    size_t n = mgml_type_size(t->type);
    for (int i = 0; i < MGML_MAX_DIMS; i++) n *= (size_t) t->ne[i];
    return n;
}

void mgml_tensor_init(mgml_tensor * t, enum mgml_type type, int64_t ne0, int64_t ne1, int64_t ne2, const char * name) {
    memset(t, 0, sizeof(*t));
    t->type = type;
    t->ne[0] = ne0; t->ne[1] = ne1; t->ne[2] = ne2; t->ne[3] = 1;
    t->nb[0] = mgml_type_size(type);
    for (int i = 1; i < MGML_MAX_DIMS; i++) t->nb[i] = t->nb[i - 1] * (size_t) t->ne[i - 1];
    snprintf(t->name, sizeof(t->name), "%s", name);
}

static __global__ void k_scale(const float * x, float * dst, float s, int64_t n) {
    const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = x[i] * s;
}
static __global__ void k_add(const float * x, const float * y, float * dst, int64_t n) {
    const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = x[i] + y[i];
}
static __global__ void k_argmax_rows(const float * x, int32_t * dst, int ncols, int nrows) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nrows) return;
    int best = 0;
    for (int c = 1; c < ncols; c++) if (x[(size_t) r * ncols + c] > x[(size_t) r * ncols + best]) best = c;
    dst[r] = best;
}

static int64_t mgml_nelements(const mgml_tensor * t) { return t->ne[0] * t->ne[1] * t->ne[2] * t->ne[3]; }
static unsigned n_blocks(int64_t n) { return (unsigned) ((n + 255) / 256); }

void mgml_cuda_op_scale(mgml_cuda_context & ctx, mgml_tensor * dst) {
    const int64_t n = mgml_nelements(dst);
    k_scale<<<n_blocks(n), 256, 0, ctx.stream()>>>((const float *) dst->src[0]->data, (float *) dst->data, dst->op_param, n);
    CUDA_CHECK(cudaGetLastError());
}
void mgml_cuda_op_add(mgml_cuda_context & ctx, mgml_tensor * dst) {
    const int64_t n = mgml_nelements(dst);
    k_add<<<n_blocks(n), 256, 0, ctx.stream()>>>((const float *) dst->src[0]->data, (const float *) dst->src[1]->data, (float *) dst->data, n);
    CUDA_CHECK(cudaGetLastError());
}
void mgml_cuda_op_argmax_rows(mgml_cuda_context & ctx, mgml_tensor * dst) {
    const mgml_tensor * x = dst->src[0];
    k_argmax_rows<<<n_blocks(x->ne[1]), 256, 0, ctx.stream()>>>((const float *) x->data, (int32_t *) dst->data, (int) x->ne[0], (int) x->ne[1]);
    CUDA_CHECK(cudaGetLastError());
}

mgml_backend_t mgml_backend_cuda_init(int device) { return new mgml_backend{ new mgml_cuda_context(device) }; }
void mgml_backend_free(mgml_backend_t b) { delete b->ctx; delete b; }

enum mgml_status mgml_backend_tensor_alloc(mgml_backend_t b, mgml_tensor * t) {
    CUDA_CHECK(cudaSetDevice(b->ctx->device));
    return cudaMalloc(&t->data, mgml_nbytes(t)) == cudaSuccess ? MGML_STATUS_SUCCESS : MGML_STATUS_ALLOC_FAILED;
}
void mgml_backend_tensor_free(mgml_backend_t b, mgml_tensor * t) {
    mgml_backend_synchronize(b);
    CUDA_CHECK(cudaFree(t->data));
    t->data = nullptr;
}
void mgml_backend_tensor_set_async(mgml_backend_t b, mgml_tensor * t, const void * data, size_t size) {
    CUDA_CHECK(cudaMemcpyAsync(t->data, data, size, cudaMemcpyHostToDevice, b->ctx->stream()));
}
void mgml_backend_tensor_get_async(mgml_backend_t b, const mgml_tensor * t, void * data, size_t size) {
    CUDA_CHECK(cudaMemcpyAsync(data, t->data, size, cudaMemcpyDeviceToHost, b->ctx->stream()));
}
void mgml_backend_tensor_prefetch(mgml_backend_t b, mgml_tensor * t, const void * data, size_t size) {
    CUDA_CHECK(cudaMemcpyAsync(t->data, data, size, cudaMemcpyHostToDevice, b->ctx->stream(MGML_CUDA_STREAM_COPY)));
}
void mgml_backend_prefetch_wait(mgml_backend_t b) {
    CUDA_CHECK(cudaEventRecord(b->ctx->prefetch_event, b->ctx->stream(MGML_CUDA_STREAM_COPY)));
    CUDA_CHECK(cudaStreamWaitEvent(b->ctx->stream(), b->ctx->prefetch_event, 0));
}

enum mgml_status mgml_backend_graph_compute(mgml_backend_t b, mgml_tensor ** nodes, int n_nodes) {
    for (int i = 0; i < n_nodes; i++) {
        mgml_tensor * node = nodes[i];
        switch (node->op) {
            case MGML_OP_NONE:        break;
            case MGML_OP_SCALE:       mgml_cuda_op_scale(*b->ctx, node); break;
            case MGML_OP_ADD:         mgml_cuda_op_add(*b->ctx, node); break;
            case MGML_OP_ARGMAX_ROWS: mgml_cuda_op_argmax_rows(*b->ctx, node); break;
            case MGML_OP_MUL_MAT_ID:  mgml_cuda_mul_mat_id(*b->ctx, node); break;
            default: return MGML_STATUS_FAILED;
        }
    }
    return MGML_STATUS_SUCCESS;
}

void mgml_backend_synchronize(mgml_backend_t b) {
    for (int i = 0; i < MGML_CUDA_MAX_STREAMS; i++) CUDA_CHECK(cudaStreamSynchronize(b->ctx->stream(i)));
}
