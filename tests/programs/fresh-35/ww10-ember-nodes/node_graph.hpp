#pragma once
// Explicit task graphs: nodes are added one by one with their predecessors,
// then the whole is compiled into an Executor and run once per frame.

#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

namespace taskgraph {

inline void require(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

using Node = cudaGraphNode_t;

class After {
public:
    After() = default;
    After(std::initializer_list<Node> nodes) : nodes_(nodes) {}
    const Node* data() const { return nodes_.empty() ? nullptr : nodes_.data(); }
    std::size_t size() const { return nodes_.size(); }

private:
    std::vector<Node> nodes_;
};

struct Upload {
    Node node;
    void* target;
    std::size_t bytes;
};

class Executor {
public:
    explicit Executor(cudaGraph_t graph) { require(cudaGraphInstantiate(&exec_, graph, 0)); }
    ~Executor() { if (exec_) cudaGraphExecDestroy(exec_); }
    Executor(Executor&& o) noexcept : exec_(std::exchange(o.exec_, nullptr)) {}

    void rebind(const Upload& up, const void* source);
    void run(cudaStream_t stream);

private:
    cudaGraphExec_t exec_ = nullptr;
};

class Builder {
public:
    Builder() { require(cudaGraphCreate(&graph_, 0)); }
    ~Builder() { cudaGraphDestroy(graph_); }
    Builder(const Builder&) = delete;

    Upload upload(const After& after, void* target, const void* source, std::size_t bytes);
    Node zero(const After& after, void* target, std::size_t bytes);

    template <class... Params, class... Args>
    Node kernel(const After& after, void (*fn)(Params...), dim3 grid, dim3 block, const Args&... args)
    {
        std::tuple<Params...> values(args...);
        return std::apply(
            [&](Params&... v) {
                void* pointers[] = {static_cast<void*>(&v)...};
                return launch(after, reinterpret_cast<void*>(fn), grid, block, pointers);
            },
            values);
    }

    Executor compile() { return Executor(graph_); }

private:
    Node launch(const After& after, void* fn, dim3 grid, dim3 block, void** args);
    cudaGraph_t graph_ = nullptr;
};

}  // namespace taskgraph
