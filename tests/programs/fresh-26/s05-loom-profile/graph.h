#pragma once
// loom: runs a graph of device tasks over a few lanes.
#include <cuda_runtime.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace loom {

class Failure : public std::runtime_error {
public:
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw Failure(e);
}

using Task = std::function<void(cudaStream_t)>;

struct Node {
    std::string name;
    int lane;
    Task task;
    std::vector<int> after;
};

class Graph {
public:
    // Nodes are added in an order in which they can run.
    int add(std::string name, int lane, Task task, std::vector<int> after = {}) {
        nodes_.push_back({std::move(name), lane, std::move(task), std::move(after)});
        return static_cast<int>(nodes_.size()) - 1;
    }
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    std::vector<Node> nodes_;
};

// Ready-made tasks.
Task fill(float* out, int count, float value);
Task axpy(float a, const float* x, float* y, int count);
Task relax(float* field, float* scratch, int count, int sweeps);

}  // namespace loom
