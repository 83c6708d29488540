#pragma once

#include "tg.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tg_backend * tg_backend_t;

// All work is enqueued on `stream`, which must not be the legacy default stream.
tg_backend_t tg_backend_cuda_init(cudaStream_t stream);
void         tg_backend_free(tg_backend_t backend);

// Device memory for all leafs and nodes of the graph.
enum tg_status tg_backend_alloc_graph(tg_backend_t backend, struct tg_cgraph * graph);

// Both return after the copy.
enum tg_status tg_backend_tensor_set(tg_backend_t backend, struct tg_tensor * t, const float * data);
enum tg_status tg_backend_tensor_get(tg_backend_t backend, const struct tg_tensor * t, float * data);

// Asynchronous. A graph that is computed again is replayed as a CUDA graph.
enum tg_status tg_backend_graph_compute(tg_backend_t backend, struct tg_cgraph * graph);
enum tg_status tg_backend_synchronize(tg_backend_t backend);

cudaError_t tg_backend_last_error(tg_backend_t backend);

#ifdef __cplusplus
}
#endif
