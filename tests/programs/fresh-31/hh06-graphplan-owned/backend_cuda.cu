#include "backend.h"
#include "staging.h"
#include "weighted_sum.cuh"

#include <memory>

namespace tg {

struct device_tables {
    explicit device_tables(size_t bytes) { cuda_check(cudaMalloc((void **) &base, bytes)); }
    ~device_tables() { cudaFree(base); }
    device_tables(const device_tables &) = delete;
    device_tables & operator=(const device_tables &) = delete;
    char * base = nullptr;
};

struct graph_plan {
    explicit graph_plan(size_t table_bytes) : staging(table_bytes), tables(table_bytes) {}
    ~graph_plan() {
        if (exec) {
            cudaGraphExecDestroy(exec);
        }
    }
    staging_arena   staging;
    device_tables   tables;
    cudaGraphExec_t exec = nullptr;
};

namespace {

constexpr size_t k_table_capacity = 1 << 16;

struct cuda_context {
    cuda_context() : staging(k_table_capacity), tables(k_table_capacity) {
        cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        cudaFuncAttributes attr;
        cuda_check(cudaFuncGetAttributes(&attr, k_weighted_sum));
    }
    ~cuda_context() {
        for (float * p : owned) {
            cudaFree(p);
        }
        cudaStreamDestroy(stream);
    }
    cudaStream_t         stream = nullptr;
    staging_arena        staging;
    device_tables        tables;
    std::vector<float *> owned;
};

cuda_context & ctx_of(backend * b) {
    return *static_cast<cuda_context *>(b->context);
}

size_t table_bytes(const cgraph & g) {
    size_t total = 0;
    for (const node & nd : g.nodes) {
        total += staging_arena::padded(sizeof(term) * nd.src.size());
    }
    return total;
}

void begin_eval(cuda_context & ctx) {
    cuda_check(cudaStreamSynchronize(ctx.stream));
    ctx.staging.rewind();
}

size_t emit_node(cuda_context & ctx, staging_arena & staging, const node & nd, char * table) {
    const size_t count = nd.src.size();
    term * host = staging.take<term>(count);
    for (size_t i = 0; i < count; ++i) {
        host[i] = { nd.src[i]->data, nd.weight[i] };
    }
    cuda_check(cudaMemcpyAsync(table, host, sizeof(term) * count, cudaMemcpyHostToDevice, ctx.stream));
    const int n = nd.dst->n;
    k_weighted_sum<<<(n + 255) / 256, 256, 0, ctx.stream>>>(
        reinterpret_cast<const term *>(table), (int) count, nd.dst->data, n);
    cuda_check(cudaGetLastError());
    return staging_arena::padded(sizeof(term) * count);
}

void emit_graph(cuda_context & ctx, staging_arena & staging, const cgraph & g, char * tables) {
    for (const node & nd : g.nodes) {
        tables += emit_node(ctx, staging, nd, tables);
    }
}

const char * cuda_get_name(backend *) { return "CUDA"; }

void cuda_free(backend * b) {
    delete &ctx_of(b);
    delete b;
}

void cuda_tensor_alloc(backend * b, tensor * t, int n) {
    cuda_check(cudaMalloc((void **) &t->data, sizeof(float) * n));
    t->n = n;
    ctx_of(b).owned.push_back(t->data);
}

void cuda_tensor_set(backend * b, tensor * t, const float * src) {
    cudaStream_t s = ctx_of(b).stream;
    cuda_check(cudaMemcpyAsync(t->data, src, sizeof(float) * t->n, cudaMemcpyHostToDevice, s));
    cuda_check(cudaStreamSynchronize(s));
}

void cuda_tensor_get(backend * b, const tensor * t, float * dst) {
    cudaStream_t s = ctx_of(b).stream;
    cuda_check(cudaMemcpyAsync(dst, t->data, sizeof(float) * t->n, cudaMemcpyDeviceToHost, s));
    cuda_check(cudaStreamSynchronize(s));
}

void cuda_graph_compute(backend * b, const cgraph & g) {
    cuda_context & ctx = ctx_of(b);
    begin_eval(ctx);
    emit_graph(ctx, ctx.staging, g, ctx.tables.base);
}

graph_plan * cuda_graph_plan_create(backend * b, const cgraph & g) {
    cuda_context & ctx = ctx_of(b);
    auto plan = std::make_unique<graph_plan>(table_bytes(g));
    cudaGraph_t graph = nullptr;
    cuda_check(cudaStreamBeginCapture(ctx.stream, cudaStreamCaptureModeThreadLocal));
    emit_graph(ctx, plan->staging, g, plan->tables.base);
    cuda_check(cudaStreamEndCapture(ctx.stream, &graph));
    cuda_check(cudaGraphInstantiate(&plan->exec, graph, 0));
    cuda_check(cudaGraphDestroy(graph));
    return plan.release();
}

void cuda_graph_plan_compute(backend * b, graph_plan * plan) {
    cuda_check(cudaGraphLaunch(plan->exec, ctx_of(b).stream));
}

void cuda_graph_plan_free(backend * b, graph_plan * plan) {
    cuda_check(cudaStreamSynchronize(ctx_of(b).stream));
    delete plan;
}

void cuda_synchronize(backend * b) { cuda_check(cudaStreamSynchronize(ctx_of(b).stream)); }

}  // namespace

backend * backend_cuda_init() {
    const backend_i iface = {
        cuda_get_name,      cuda_free,
        cuda_tensor_alloc,  cuda_tensor_set,        cuda_tensor_get,
        cuda_graph_compute, cuda_graph_plan_create, cuda_graph_plan_compute, cuda_graph_plan_free,
        cuda_synchronize,
    };
    return new backend{ iface, new cuda_context() };
}

}  // namespace tg
