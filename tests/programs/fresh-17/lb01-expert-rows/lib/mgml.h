#pragma once
// mgml: a small tensor library with pluggable backends (plain C API)
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MGML_MAX_DIMS 4
#define MGML_MAX_SRC  3
#define MGML_MAX_NAME 32

enum mgml_type   { MGML_TYPE_F32 = 0, MGML_TYPE_I32 = 1, MGML_TYPE_COUNT };
enum mgml_op     { MGML_OP_NONE = 0, MGML_OP_SCALE, MGML_OP_ADD, MGML_OP_ARGMAX_ROWS, MGML_OP_MUL_MAT_ID };
enum mgml_status { MGML_STATUS_SUCCESS = 0, MGML_STATUS_FAILED = -1, MGML_STATUS_ALLOC_FAILED = -2 };

struct mgml_tensor {
    enum mgml_type type;
    enum mgml_op   op;
    int64_t        ne[MGML_MAX_DIMS];
    size_t         nb[MGML_MAX_DIMS];
    float          op_param;
    struct mgml_tensor * src[MGML_MAX_SRC];
    void *         data;
    char           name[MGML_MAX_NAME];
};

typedef struct mgml_backend * mgml_backend_t;

size_t mgml_type_size(enum mgml_type type);
size_t mgml_nbytes(const struct mgml_tensor * t);
void   mgml_tensor_init(struct mgml_tensor * t, enum mgml_type type, int64_t ne0, int64_t ne1, int64_t ne2, const char * name);

mgml_backend_t   mgml_backend_cuda_init(int device);
void             mgml_backend_free(mgml_backend_t backend);

enum mgml_status mgml_backend_tensor_alloc(mgml_backend_t backend, struct mgml_tensor * t);
void             mgml_backend_tensor_free (mgml_backend_t backend, struct mgml_tensor * t);

void mgml_backend_tensor_set_async(mgml_backend_t backend, struct mgml_tensor * t, const void * data, size_t size);
void mgml_backend_tensor_get_async(mgml_backend_t backend, const struct mgml_tensor * t, void * data, size_t size);

// upload of weights of a later layer next to the computation; data must be pinned
void mgml_backend_tensor_prefetch(mgml_backend_t backend, struct mgml_tensor * t, const void * data, size_t size);
void mgml_backend_prefetch_wait  (mgml_backend_t backend);

enum mgml_status mgml_backend_graph_compute(mgml_backend_t backend, struct mgml_tensor ** nodes, int n_nodes);
void             mgml_backend_synchronize  (mgml_backend_t backend);

#ifdef __cplusplus
}
#endif
