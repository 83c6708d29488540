#include "pixl.h"

namespace pixl {

CapturedPipeline::CapturedPipeline(Context& context, Pipeline& pipeline, cudaStream_t stream,
                                   const float* src, float* dst)
    : staging_(context.stagingBytes()) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
        pipeline.enqueue(staging_, stream, src, dst);
    } catch (...) {
        cudaStreamEndCapture(stream, &graph);
        if (graph) cudaGraphDestroy(graph);
        throw;
    }
    check(cudaStreamEndCapture(stream, &graph));
    const cudaError_t status = cudaGraphInstantiate(&exec_, graph, 0);
    cudaGraphDestroy(graph);
    check(status);
}

CapturedPipeline::~CapturedPipeline() { cudaGraphExecDestroy(exec_); }

}  // namespace pixl
