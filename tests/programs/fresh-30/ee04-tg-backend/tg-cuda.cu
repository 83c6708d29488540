#include "tg-cuda.h"

#include <cstdio>
#include <cstring>
#include <new>

#define TG_CUDA_TRY(backend, call)                                                          \
    do {                                                                                    \
        cudaError_t err_ = (call);                                                          \
        if (err_ != cudaSuccess) {                                                          \
            fprintf(stderr, "tg-cuda: %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
            (backend)->error = err_;                                                        \
            return TG_STATUS_FAILED;                                                        \
        }                                                                                   \
    } while (0)

#define TG_TRY(call)                        \
    do {                                    \
        enum tg_status status_ = (call);    \
        if (status_ != TG_STATUS_SUCCESS) { \
            return status_;                 \
        }                                   \
    } while (0)

#define CUDA_BLOCK_SIZE 256

struct blend_args {
    const float * src[TG_MAX_SRC];
    float         weight[TG_MAX_SRC];
    int           n_src;
};

struct tg_backend {
    cudaStream_t stream;
    cudaError_t  error;

    float * pool;

    blend_args * args_host; // pinned
    blend_args * args_dev;  // [TG_MAX_NODES]
    cudaEvent_t  args_free;

    // replay
    uint64_t        graph_uid;
    int             graph_evals;
    bool            capturing;
    cudaGraphExec_t graph_exec;
};

static __global__ void k_scale(float * dst, const float * a, float s, int64_t n) {
    const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        dst[i] = a[i] * s;
    }
}

static __global__ void k_relu(float * dst, const float * a, int64_t n) {
    const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        dst[i] = fmaxf(a[i], 0.0f);
    }
}

static __global__ void k_blend(float * dst, const blend_args * args, int64_t n) {
    const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int s = 0; s < args->n_src; s++) {
            sum += args->weight[s] * args->src[s][i];
        }
        dst[i] = sum;
    }
}

tg_backend_t tg_backend_cuda_init(cudaStream_t stream) {
    tg_backend_t backend = new (std::nothrow) tg_backend();
    if (!backend) {
        return NULL;
    }
    backend->stream = stream;
    if (cudaMallocHost((void **) &backend->args_host, sizeof(blend_args)) != cudaSuccess ||
        cudaMalloc((void **) &backend->args_dev, TG_MAX_NODES * sizeof(blend_args)) != cudaSuccess ||
        cudaEventCreateWithFlags(&backend->args_free, cudaEventDisableTiming) != cudaSuccess) {
        tg_backend_free(backend);
        return NULL;
    }
    return backend;
}

void tg_backend_free(tg_backend_t backend) {
    if (!backend) {
        return;
    }
    cudaStreamSynchronize(backend->stream);
    if (backend->graph_exec) {
        cudaGraphExecDestroy(backend->graph_exec);
    }
    if (backend->args_free) {
        cudaEventDestroy(backend->args_free);
    }
    cudaFreeHost(backend->args_host);
    cudaFree(backend->args_dev);
    cudaFree(backend->pool);
    delete backend;
}

enum tg_status tg_backend_alloc_graph(tg_backend_t backend, tg_cgraph * graph) {
    const int64_t align = 64;
    int64_t total = 0;
    for (int i = 0; i < graph->n_leafs; i++) {
        total += (graph->leafs[i]->ne + align - 1) / align * align;
    }
    for (int i = 0; i < graph->n_nodes; i++) {
        total += (graph->nodes[i]->ne + align - 1) / align * align;
    }
    TG_CUDA_TRY(backend, cudaStreamSynchronize(backend->stream));
    TG_CUDA_TRY(backend, cudaFree(backend->pool));
    backend->pool = NULL;
    if (cudaMalloc((void **) &backend->pool, total * sizeof(float)) != cudaSuccess) {
        return TG_STATUS_ALLOC_FAILED;
    }
    float * next = backend->pool;
    for (int i = 0; i < graph->n_leafs; i++) {
        graph->leafs[i]->data = next;
        next += (graph->leafs[i]->ne + align - 1) / align * align;
    }
    for (int i = 0; i < graph->n_nodes; i++) {
        graph->nodes[i]->data = next;
        next += (graph->nodes[i]->ne + align - 1) / align * align;
    }
    backend->graph_uid = 0;
    return TG_STATUS_SUCCESS;
}

enum tg_status tg_backend_tensor_set(tg_backend_t backend, tg_tensor * t, const float * data) {
    TG_CUDA_TRY(backend, cudaMemcpyAsync(t->data, data, t->ne * sizeof(float), cudaMemcpyHostToDevice, backend->stream));
    TG_CUDA_TRY(backend, cudaStreamSynchronize(backend->stream));
    return TG_STATUS_SUCCESS;
}

enum tg_status tg_backend_tensor_get(tg_backend_t backend, const tg_tensor * t, float * data) {
    TG_CUDA_TRY(backend, cudaMemcpyAsync(data, t->data, t->ne * sizeof(float), cudaMemcpyDeviceToHost, backend->stream));
    TG_CUDA_TRY(backend, cudaStreamSynchronize(backend->stream));
    return TG_STATUS_SUCCESS;
}

// Sends the arguments of node i to the device.
static enum tg_status upload_args(tg_backend_t backend, int i, const tg_tensor * t) {
    if (!backend->capturing) {
        TG_CUDA_TRY(backend, cudaEventSynchronize(backend->args_free));
    }
    blend_args * args = backend->args_host;
    for (int s = 0; s < t->n_src; s++) {
        args->src[s]    = t->src[s]->data;
        args->weight[s] = t->weight[s];
    }
    args->n_src = t->n_src;
    TG_CUDA_TRY(backend, cudaMemcpyAsync(backend->args_dev + i, args, sizeof(*args), cudaMemcpyHostToDevice, backend->stream));
    if (!backend->capturing) {
        TG_CUDA_TRY(backend, cudaEventRecord(backend->args_free, backend->stream));
    }
    return TG_STATUS_SUCCESS;
}

static enum tg_status compute_node(tg_backend_t backend, int i, tg_tensor * t) {
    const int blocks = (int) ((t->ne + CUDA_BLOCK_SIZE - 1) / CUDA_BLOCK_SIZE);
    switch (t->op) {
        case TG_OP_SCALE:
            k_scale<<<blocks, CUDA_BLOCK_SIZE, 0, backend->stream>>>(t->data, t->src[0]->data, t->param, t->ne);
            break;
        case TG_OP_RELU:
            k_relu<<<blocks, CUDA_BLOCK_SIZE, 0, backend->stream>>>(t->data, t->src[0]->data, t->ne);
            break;
        case TG_OP_BLEND:
            TG_TRY(upload_args(backend, i, t));
            k_blend<<<blocks, CUDA_BLOCK_SIZE, 0, backend->stream>>>(t->data, backend->args_dev + i, t->ne);
            break;
        default:
            fprintf(stderr, "%s: op %d of %s is not supported\n", __func__, (int) t->op, t->name);
            return TG_STATUS_FAILED;
    }
    TG_CUDA_TRY(backend, cudaGetLastError());
    return TG_STATUS_SUCCESS;
}

static enum tg_status evaluate(tg_backend_t backend, tg_cgraph * graph) {
    for (int i = 0; i < graph->n_nodes; i++) {
        TG_TRY(compute_node(backend, i, graph->nodes[i]));
    }
    return TG_STATUS_SUCCESS;
}

static enum tg_status capture(tg_backend_t backend, tg_cgraph * graph) {
    cudaGraph_t cuda_graph = NULL;
    TG_CUDA_TRY(backend, cudaStreamBeginCapture(backend->stream, cudaStreamCaptureModeThreadLocal));
    backend->capturing = true;
    const enum tg_status status = evaluate(backend, graph);
    backend->capturing = false;
    TG_CUDA_TRY(backend, cudaStreamEndCapture(backend->stream, &cuda_graph));
    TG_TRY(status);
    TG_CUDA_TRY(backend, cudaGraphInstantiate(&backend->graph_exec, cuda_graph, 0));
    TG_CUDA_TRY(backend, cudaGraphDestroy(cuda_graph));
    return TG_STATUS_SUCCESS;
}

enum tg_status tg_backend_graph_compute(tg_backend_t backend, tg_cgraph * graph) {
    if (backend->graph_uid != graph->uid) {
        if (backend->graph_exec) {
            TG_CUDA_TRY(backend, cudaGraphExecDestroy(backend->graph_exec));
            backend->graph_exec = NULL;
        }
        backend->graph_uid   = graph->uid;
        backend->graph_evals = 0;
    }
    if (backend->graph_evals++ == 0) {
        return evaluate(backend, graph);
    }
    if (!backend->graph_exec) {
        TG_CUDA_TRY(backend, cudaEventSynchronize(backend->args_free));
        TG_TRY(capture(backend, graph));
    }
    TG_CUDA_TRY(backend, cudaGraphLaunch(backend->graph_exec, backend->stream));
    return TG_STATUS_SUCCESS;
}

enum tg_status tg_backend_synchronize(tg_backend_t backend) {
    TG_CUDA_TRY(backend, cudaStreamSynchronize(backend->stream));
    return TG_STATUS_SUCCESS;
}

cudaError_t tg_backend_last_error(tg_backend_t backend) {
    return backend->error;
}
