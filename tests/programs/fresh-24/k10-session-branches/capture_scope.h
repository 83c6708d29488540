#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define ASR_CUDA(call)                                                \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace asr {
// Streams and events that exist only while a session's graph is drawn up.
class CaptureScope {
public:
    CaptureScope() {
        ASR_CUDA(cudaStreamCreateWithFlags(&trunk_, cudaStreamNonBlocking));
        ASR_CUDA(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
        ASR_CUDA(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
        ASR_CUDA(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming));
        ASR_CUDA(cudaStreamBeginCapture(trunk_, cudaStreamCaptureModeThreadLocal));
    }
    ~CaptureScope() {
        cudaEventDestroy(joined_);
        cudaEventDestroy(forked_);
        cudaStreamDestroy(side_);
        cudaStreamDestroy(trunk_);
    }
    CaptureScope(const CaptureScope&) = delete;
    cudaStream_t trunk() const { return trunk_; }

    // Work of a stage that runs beside the trunk for as long as the branch lives.
    class Branch {
    public:
        explicit Branch(CaptureScope& s) : s_(s) {
            ASR_CUDA(cudaEventRecord(s_.forked_, s_.trunk_));
            ASR_CUDA(cudaStreamWaitEvent(s_.side_, s_.forked_, 0));
        }
        ~Branch() {
            ASR_CUDA(cudaEventRecord(s_.joined_, s_.side_));
            ASR_CUDA(cudaStreamWaitEvent(s_.trunk_, s_.joined_, 0));
        }
        Branch(const Branch&) = delete;
        cudaStream_t stream() const { return s_.side_; }

    private:
        CaptureScope& s_;
    };

    cudaGraphExec_t seal() {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        ASR_CUDA(cudaStreamEndCapture(trunk_, &graph));
        ASR_CUDA(cudaGraphInstantiate(&exec, graph, 0));
        ASR_CUDA(cudaGraphDestroy(graph));
        return exec;
    }
private:
    cudaStream_t trunk_ = nullptr;
    cudaStream_t side_ = nullptr;
    cudaEvent_t forked_ = nullptr;
    cudaEvent_t joined_ = nullptr;
};
}  // namespace asr
