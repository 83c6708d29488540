#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <cuda_runtime.h>

#define CUDA_TRY(expression)                                          \
    do {                                                              \
        const cudaError_t result_ = (expression);                     \
        if (result_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(result_));     \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

template <class H, cudaError_t (*Release)(H)>
struct Releaser {
    using pointer = H;
    void operator()(H h) const { Release(h); }
};

template <class H, cudaError_t (*Release)(H)>
using Handle = std::unique_ptr<std::remove_pointer_t<H>, Releaser<H, Release>>;

using Stream = Handle<cudaStream_t, cudaStreamDestroy>;
using Event = Handle<cudaEvent_t, cudaEventDestroy>;
using Graph = Handle<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Handle<cudaGraphExec_t, cudaGraphExecDestroy>;

inline Stream make_stream()
{
    cudaStream_t s = nullptr;
    CUDA_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}

inline Event make_event()
{
    cudaEvent_t e = nullptr;
    CUDA_TRY(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return Event(e);
}

// Records what `body` puts into the stream.
template <class F>
Graph recorded(cudaStream_t stream, F&& body)
{
    cudaGraph_t g = nullptr;
    CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    body();
    CUDA_TRY(cudaStreamEndCapture(stream, &g));
    return Graph(g);
}

// An executable graph that takes on the shape of the first graph and the arguments of the last.
class Replay {
public:
    void run(const Graph& graph, cudaStream_t stream)
    {
        if (!exec_) {
            cudaGraphExec_t e = nullptr;
            CUDA_TRY(cudaGraphInstantiate(&e, graph.get(), 0));
            exec_.reset(e);
        } else {
            cudaGraphExecUpdateResultInfo info;
            CUDA_TRY(cudaGraphExecUpdate(exec_.get(), graph.get(), &info));
        }
        CUDA_TRY(cudaGraphLaunch(exec_.get(), stream));
    }

private:
    GraphExec exec_;
};
