#pragma once
#include <cstddef>
#include <vector>

namespace tg {

struct tensor {
    float * data = nullptr;
    int     n    = 0;
};

// dst = sum_i weight[i] * src[i]
struct node {
    tensor *             dst;
    std::vector<tensor *> src;
    std::vector<float>    weight;
};

struct cgraph {
    std::vector<node> nodes;
};

struct backend;
struct graph_plan;

struct backend_i {
    const char * (*get_name)(backend *);
    void         (*free)(backend *);

    void (*tensor_alloc)(backend *, tensor *, int n);
    void (*tensor_set)(backend *, tensor *, const float * src);
    void (*tensor_get)(backend *, const tensor *, float * dst);

    void         (*graph_compute)(backend *, const cgraph &);
    graph_plan * (*graph_plan_create)(backend *, const cgraph &);
    void         (*graph_plan_compute)(backend *, graph_plan *);
    void         (*graph_plan_free)(backend *, graph_plan *);

    void (*synchronize)(backend *);
};

struct backend {
    backend_i iface;
    void *    context;
};

backend * backend_cuda_init();

}  // namespace tg
