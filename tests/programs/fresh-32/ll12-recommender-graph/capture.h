#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace rec {

inline void chk(cudaError_t e, const char* = "") {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

class CaptureModeScope {
public:
    explicit CaptureModeScope(cudaStreamCaptureMode m) : mode_(m) { chk(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~CaptureModeScope() { chk(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    CaptureModeScope(const CaptureModeScope&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Named scratch areas that grow on demand and live as long as the model.
class Workspace {
public:
    Workspace() = default;
    Workspace(const Workspace&) = delete;
    ~Workspace() {
        for (auto& kv : areas_) cudaFree(kv.second);
    }
    int* area(const std::string& name, std::size_t n) {
        auto it = areas_.find(name);
        if (it == areas_.end()) {
            CaptureModeScope scope(cudaStreamCaptureModeRelaxed);
            void* p = nullptr;
            chk(cudaMalloc(&p, n * sizeof(int)));
            it = areas_.emplace(name, static_cast<int*>(p)).first;
        }
        return it->second;
    }

private:
    std::map<std::string, int*> areas_;
};

class Graph {
public:
    explicit Graph(cudaGraph_t g) {
        chk(cudaGraphInstantiate(&exec_, g, 0));
        chk(cudaGraphDestroy(g));
    }
    Graph(Graph&& o) noexcept : exec_(std::exchange(o.exec_, nullptr)) {}
    ~Graph() {
        if (exec_) cudaGraphExecDestroy(exec_);
    }
    void launch(cudaStream_t s) const { chk(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace rec
