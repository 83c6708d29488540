#include "runner.h"

namespace nn {

void run_stepwise(Context& ctx, Network& net, int* x, int n) {
    for (auto& layer : net) {
        ctx.begin_layer();
        layer->enqueue(ctx, x, n);
        verify(cudaStreamSynchronize(ctx.stream()));
    }
}

Replay::Replay(Context& ctx, Network& net, int* x, int n) : ctx_(ctx) {
    verify(cudaStreamBeginCapture(ctx.stream(), cudaStreamCaptureModeThreadLocal));
    for (auto& layer : net) {
        ctx.begin_layer();
        layer->enqueue(ctx, x, n);
    }
    verify(cudaStreamEndCapture(ctx.stream(), &graph_));
    verify(cudaGraphInstantiate(&exec_, graph_, 0));
}

Replay::~Replay() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
}

void Replay::run() {
    verify(cudaGraphLaunch(exec_, ctx_.stream()));
    verify(cudaStreamSynchronize(ctx_.stream()));
}
}  // namespace nn
