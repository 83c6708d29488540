#pragma once
#include <utility>
#include "check.h"

namespace optics {

// Work recorded once from a stream and played as often as wanted.
class GraphTape {
public:
    GraphTape() = default;
    GraphTape(const GraphTape&) = delete;
    GraphTape& operator=(const GraphTape&) = delete;
    ~GraphTape() {
        if (exec_) cudaGraphExecDestroy(exec_);
    }

    template <class Work>
    void record(cudaStream_t stream, Work&& work) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        std::forward<Work>(work)(stream);
        check(cudaStreamEndCapture(stream, &graph));
        check(cudaGraphInstantiate(&exec_, graph, 0));
        check(cudaGraphDestroy(graph));
    }

    void play(cudaStream_t stream) const { check(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace optics
