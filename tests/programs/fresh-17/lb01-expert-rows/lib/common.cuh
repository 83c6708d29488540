#pragma once
#include "mgml.h"
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(expr)                                                                          \
    do {                                                                                          \
        cudaError_t err_ = (expr);                                                                \
        if (err_ != cudaSuccess) {                                                                \
            fprintf(stderr, "mgml: %s at %s:%d: %s\n", #expr, __FILE__, __LINE__, cudaGetErrorString(err_)); \
            abort();                                                                              \
        }                                                                                         \
    } while (0)

#define MGML_CUDA_MAX_STREAMS 2

enum mgml_cuda_stream_id { MGML_CUDA_STREAM_MAIN = 0, MGML_CUDA_STREAM_COPY = 1 };

// grow-only pinned area
struct mgml_cuda_pinned {
    void * ptr  = nullptr;
    size_t size = 0;
    void * get(size_t n) {
        if (n > size) {
            if (ptr) CUDA_CHECK(cudaFreeHost(ptr));
            CUDA_CHECK(cudaMallocHost(&ptr, n));
            for (size_t i = 0; i < n; i++) ((char *) ptr)[i] = 0;
            size = n;
        }
        return ptr;
    }
    void release() { if (ptr) CUDA_CHECK(cudaFreeHost(ptr)); ptr = nullptr; size = 0; }
};

struct mgml_cuda_scratch {
    void * ptr  = nullptr;
    size_t size = 0;
    void * get(size_t n, cudaStream_t stream) {
        if (n > size) {
            if (ptr) CUDA_CHECK(cudaFreeAsync(ptr, stream));
            CUDA_CHECK(cudaMallocAsync(&ptr, n, stream));
            size = n;
        }
        return ptr;
    }
    void release(cudaStream_t stream) { if (ptr) CUDA_CHECK(cudaFreeAsync(ptr, stream)); ptr = nullptr; size = 0; }
};

struct mgml_cuda_context {
    int          device = 0;
    cudaStream_t streams[MGML_CUDA_MAX_STREAMS] = {};
    cudaEvent_t  fork_event     = nullptr;
    cudaEvent_t  prefetch_event = nullptr;
    mgml_cuda_pinned  ids_host;
    mgml_cuda_pinned  rows_host;
    mgml_cuda_scratch rows_dev;

    explicit mgml_cuda_context(int device_) : device(device_) {
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaEventCreateWithFlags(&fork_event, cudaEventDisableTiming));
        CUDA_CHECK(cudaEventCreateWithFlags(&prefetch_event, cudaEventDisableTiming));
    }
    ~mgml_cuda_context() {
        for (auto & s : streams) if (s) CUDA_CHECK(cudaStreamSynchronize(s));
        rows_dev.release(stream());
        ids_host.release();
        rows_host.release();
        CUDA_CHECK(cudaEventDestroy(fork_event));
        CUDA_CHECK(cudaEventDestroy(prefetch_event));
        for (auto & s : streams) if (s) CUDA_CHECK(cudaStreamDestroy(s));
    }
    cudaStream_t stream(int id = MGML_CUDA_STREAM_MAIN) {
        if (!streams[id]) CUDA_CHECK(cudaStreamCreateWithFlags(&streams[id], cudaStreamNonBlocking));
        return streams[id];
    }
};

void mgml_cuda_op_scale      (mgml_cuda_context & ctx, mgml_tensor * dst);
void mgml_cuda_op_add        (mgml_cuda_context & ctx, mgml_tensor * dst);
void mgml_cuda_op_argmax_rows(mgml_cuda_context & ctx, mgml_tensor * dst);
void mgml_cuda_mul_mat_id    (mgml_cuda_context & ctx, mgml_tensor * dst);
