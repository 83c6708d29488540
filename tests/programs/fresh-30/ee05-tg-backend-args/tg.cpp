#include "tg.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct tg_context {
    int         n_tensors;
    int         max_tensors;
    tg_tensor * tensors;
};

static std::atomic<uint64_t> g_next_uid{1};

tg_context * tg_init(int max_tensors) {
    tg_context * ctx = (tg_context *) calloc(1, sizeof(tg_context));
    if (!ctx) {
        return NULL;
    }
    ctx->max_tensors = max_tensors;
    ctx->tensors     = (tg_tensor *) calloc(max_tensors, sizeof(tg_tensor));
    return ctx;
}

void tg_free(tg_context * ctx) {
    if (ctx) {
        free(ctx->tensors);
        free(ctx);
    }
}

tg_tensor * tg_new_tensor(tg_context * ctx, int64_t ne, const char * name) {
    if (ctx->n_tensors == ctx->max_tensors) {
        fprintf(stderr, "%s: context is full\n", __func__);
        abort();
    }
    tg_tensor * t = &ctx->tensors[ctx->n_tensors++];
    t->op = TG_OP_NONE;
    t->ne = ne;
    snprintf(t->name, sizeof(t->name), "%s", name);
    return t;
}

static tg_tensor * new_op(tg_context * ctx, enum tg_op op, tg_tensor * a, const char * name) {
    tg_tensor * t = tg_new_tensor(ctx, a->ne, name);
    t->op     = op;
    t->src[0] = a;
    t->n_src  = 1;
    return t;
}

tg_tensor * tg_scale(tg_context * ctx, tg_tensor * a, float s) {
    tg_tensor * t = new_op(ctx, TG_OP_SCALE, a, "scale");
    t->param = s;
    return t;
}

tg_tensor * tg_relu(tg_context * ctx, tg_tensor * a) {
    return new_op(ctx, TG_OP_RELU, a, "relu");
}

tg_tensor * tg_blend(tg_context * ctx, tg_tensor ** srcs, const float * weights, int n) {
    if (n < 1 || n > TG_MAX_SRC) {
        return NULL;
    }
    tg_tensor * t = new_op(ctx, TG_OP_BLEND, srcs[0], "blend");
    for (int i = 0; i < n; i++) {
        t->src[i]    = srcs[i];
        t->weight[i] = weights[i];
    }
    t->n_src = n;
    return t;
}

static int visit(tg_cgraph * graph, tg_tensor * t) {
    for (int i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i] == t) {
            return 0;
        }
    }
    for (int i = 0; i < graph->n_leafs; i++) {
        if (graph->leafs[i] == t) {
            return 0;
        }
    }
    for (int i = 0; i < t->n_src; i++) {
        if (visit(graph, t->src[i]) != 0) {
            return -1;
        }
    }
    if (t->op == TG_OP_NONE) {
        if (graph->n_leafs == TG_MAX_NODES) {
            return -1;
        }
        graph->leafs[graph->n_leafs++] = t;
    } else {
        if (graph->n_nodes == TG_MAX_NODES) {
            return -1;
        }
        graph->nodes[graph->n_nodes++] = t;
    }
    return 0;
}

int tg_build_forward(tg_cgraph * graph, tg_tensor * out) {
    memset(graph, 0, sizeof(*graph));
    graph->uid = g_next_uid++;
    return visit(graph, out);
}
