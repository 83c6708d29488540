#pragma once
#include <utility>

#include "arena.h"

namespace ct {

// A recorded sequence of stream work that can be replayed.
class Replay {
public:
    Replay() = default;
    Replay(Replay&& other) noexcept : exec_(std::exchange(other.exec_, nullptr)) {}
    Replay& operator=(Replay&& other) noexcept {
        std::swap(exec_, other.exec_);
        return *this;
    }
    ~Replay() {
        if (exec_) cudaGraphExecDestroy(exec_);
    }

    template <class Body>
    static Replay record(cudaStream_t stream, Body&& body) {
        Replay replay;
        cudaGraph_t graph = nullptr;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        std::forward<Body>(body)(stream);
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replay.exec_, graph, 0));
        require(cudaGraphDestroy(graph));
        return replay;
    }

    void launch(cudaStream_t stream) const { require(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace ct
