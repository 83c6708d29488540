#include "server.h"

#include <algorithm>
#include <cstring>

namespace serve {

std::unique_ptr<Server::Plan> Server::build(int batch) {
    auto plan = std::make_unique<Plan>(model_.config(), batch);
    std::memset(plan->samples.data(), 0, plan->samples.bytes());

    // A dry run outside of the graph shows bad shapes early.
    model_.forward(context_, batch, plan->samples.data(), plan->scores.data());
    SERVE_CALL(cudaStreamSynchronize(context_.main()));

    SERVE_CALL(cudaStreamBeginCapture(context_.main(), cudaStreamCaptureModeThreadLocal));
    model_.forward(context_, batch, plan->samples.data(), plan->scores.data());
    cudaGraph_t raw_graph = nullptr;
    SERVE_CALL(cudaStreamEndCapture(context_.main(), &raw_graph));
    const GraphHandle graph(raw_graph);

    cudaGraphExec_t raw_exec = nullptr;
    SERVE_CALL(cudaGraphInstantiate(&raw_exec, graph.get(), 0));
    plan->exec.reset(raw_exec);
    return plan;
}

Server::Plan& Server::plan_for(int batch) {
    auto found = plans_.find(batch);
    if (found == plans_.end()) found = plans_.emplace(batch, build(batch)).first;
    return *found->second;
}

std::vector<Activation> Server::infer(const std::vector<Activation>& samples) {
    const int batch = static_cast<int>(samples.size()) / model_.config().features;
    Plan& plan = plan_for(batch);
    std::copy(samples.begin(), samples.end(), plan.samples.data());
    SERVE_CALL(cudaGraphLaunch(plan.exec.get(), context_.main()));
    SERVE_CALL(cudaStreamSynchronize(context_.main()));
    ++launches_;
    return std::vector<Activation>(plan.scores.data(), plan.scores.data() + batch);
}

}  // namespace serve
