#include "engine.h"

namespace serve {

Engine::Engine(int max_batch, int context) : store_(max_batch, context), tokens_(pinned_array<uint32_t>(max_batch)) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    launch_decode(store_.front(), 0, stream_);
    check(cudaStreamSynchronize(stream_));
}

Engine::~Engine() {
    cudaStreamSynchronize(stream_);
    for (auto& entry : graphs_) cudaGraphExecDestroy(entry.second);
    cudaStreamDestroy(stream_);
}

cudaGraph_t Engine::record_step(int batch) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    launch_decode(store_.front(), batch, stream_);
    check(cudaStreamEndCapture(stream_, &graph));
    return graph;
}

cudaGraphExec_t Engine::step_graph(int batch) {
    auto found = graphs_.find(batch);
    if (found == graphs_.end()) {
        cudaGraph_t graph = record_step(batch);
        cudaGraphExec_t exec = nullptr;
        check(cudaGraphInstantiate(&exec, graph, 0));
        check(cudaGraphDestroy(graph));
        found = graphs_.emplace(batch, exec).first;
    }
    return found->second;
}

void Engine::admit() {
    while (!waiting_.empty() && int(running_.size()) < store_.capacity()) {
        const Request request = waiting_.front();
        waiting_.pop_front();
        launch_prefill(store_.front(), int(running_.size()), request.prompt, stream_);
        running_.push_back(Running{request, request.tokens});
    }
}

void Engine::retire(std::vector<Completion>& out) {
    const int batch = int(running_.size());
    check(cudaMemcpyAsync(tokens_.get(), store_.front().token, batch * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                          stream_));
    check(cudaStreamSynchronize(stream_));

    std::vector<int> survivors;
    std::vector<Running> still;
    for (int row = 0; row < batch; ++row) {
        running_[row].left -= kQuantum;
        if (running_[row].left > 0) {
            survivors.push_back(row);
            still.push_back(running_[row]);
        } else {
            out.push_back(Completion{running_[row].request.id, tokens_[row]});
        }
    }
    if (int(survivors.size()) == batch) return;
    store_.compact(survivors.data(), int(survivors.size()), stream_);
    running_ = std::move(still);
}

std::vector<Completion> Engine::run() {
    std::vector<Completion> out;
    for (admit(); !running_.empty(); admit()) {
        cudaGraphExec_t step = step_graph(int(running_.size()));
        for (int i = 0; i < kQuantum; ++i) check(cudaGraphLaunch(step, stream_));
        retire(out);
    }
    return out;
}

}  // namespace serve
