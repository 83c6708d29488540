// tg: a small tensor graph. Tensors are described here and computed by a backend.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TG_MAX_SRC   6
#define TG_MAX_NODES 64
#define TG_MAX_NAME  32

enum tg_status {
    TG_STATUS_SUCCESS      = 0,
    TG_STATUS_FAILED       = -1,
    TG_STATUS_ALLOC_FAILED = -2,
};

enum tg_op {
    TG_OP_NONE = 0,
    TG_OP_SCALE,
    TG_OP_RELU,
    TG_OP_BLEND, // sum of up to TG_MAX_SRC tensors, each with a weight
};

struct tg_tensor {
    enum tg_op op;
    int64_t    ne;
    float    * data; // set by the backend

    struct tg_tensor * src[TG_MAX_SRC];
    float              weight[TG_MAX_SRC];
    int                n_src;
    float              param;

    char name[TG_MAX_NAME];
};

struct tg_cgraph {
    uint64_t           uid;
    int                n_nodes;
    int                n_leafs;
    struct tg_tensor * nodes[TG_MAX_NODES];
    struct tg_tensor * leafs[TG_MAX_NODES];
};

struct tg_context;

struct tg_context * tg_init(int max_tensors);
void                tg_free(struct tg_context * ctx);

struct tg_tensor * tg_new_tensor(struct tg_context * ctx, int64_t ne, const char * name);
struct tg_tensor * tg_scale(struct tg_context * ctx, struct tg_tensor * a, float s);
struct tg_tensor * tg_relu(struct tg_context * ctx, struct tg_tensor * a);
struct tg_tensor * tg_blend(struct tg_context * ctx, struct tg_tensor ** srcs, const float * weights, int n);

// nodes in an order in which they can be computed; 0 on success
int tg_build_forward(struct tg_cgraph * graph, struct tg_tensor * out);

#ifdef __cplusplus
}
#endif
