// Task graphs spread over several lanes and baked into one executable graph.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "arena.h"

namespace flow {

using Body = std::function<void(cudaStream_t)>;
using NodeId = std::size_t;

class TaskGraph {
public:
    explicit TaskGraph(std::size_t lanes) : lanes_(lanes) {
        check(cudaStreamCreateWithFlags(&origin_, cudaStreamNonBlocking));
        for (auto& l : lanes_) check(cudaStreamCreateWithFlags(&l, cudaStreamNonBlocking));
        check(cudaEventCreateWithFlags(&root_, cudaEventDisableTiming));
    }

    ~TaskGraph() {
        if (exec_) cudaGraphExecDestroy(exec_);
        for (auto& n : nodes_) cudaEventDestroy(n.done);
        cudaEventDestroy(root_);
        for (auto& l : lanes_) cudaStreamDestroy(l);
        cudaStreamDestroy(origin_);
    }
    TaskGraph(const TaskGraph&) = delete;
    TaskGraph& operator=(const TaskGraph&) = delete;

    NodeId add(std::string name, std::vector<NodeId> after, Body body) {
        Node n;
        n.name = std::move(name);
        n.after = std::move(after);
        n.body = std::move(body);
        check(cudaEventCreateWithFlags(&n.done, cudaEventDisableTiming));
        nodes_.push_back(std::move(n));
        return nodes_.size() - 1;
    }

    void bake() {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(origin_, cudaStreamCaptureModeGlobal));
        check(cudaEventRecord(root_, origin_));
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            Node& n = nodes_[k];
            cudaStream_t lane = lanes_[k % lanes_.size()];
            check(cudaStreamWaitEvent(lane, root_, 0));
            for (NodeId a : n.after) check(cudaStreamWaitEvent(lane, nodes_.at(a).done, 0));
            n.body(lane);
            check(cudaEventRecord(n.done, lane));
        }
        for (auto& n : nodes_) check(cudaStreamWaitEvent(origin_, n.done, 0));
        check(cudaStreamEndCapture(origin_, &graph));
        check(cudaGraphInstantiate(&exec_, graph, 0));
        check(cudaGraphDestroy(graph));
    }

    void launch() { check(cudaGraphLaunch(exec_, origin_)); }
    void wait() { check(cudaStreamSynchronize(origin_)); }

private:
    struct Node {
        std::string name;
        std::vector<NodeId> after;
        Body body;
        cudaEvent_t done = nullptr;
    };

    cudaStream_t origin_ = nullptr;
    std::vector<cudaStream_t> lanes_;
    cudaEvent_t root_ = nullptr;
    std::vector<Node> nodes_;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace flow
