#include "runtime.h"
#include <algorithm>

namespace svc {
Engine::Engine(Model model) : model_(std::move(model)), arena_(64 << 10), context_{nullptr, arena_}
{
    SVC_OK(cudaStreamCreateWithFlags(&context_.stream, cudaStreamNonBlocking));
    const std::size_t bytes = 8 * kFeatures * sizeof(float);
    for (float*& buffer : activations_) {
        SVC_OK(cudaMalloc(&buffer, bytes));
        SVC_OK(cudaMemsetAsync(buffer, 0, bytes, context_.stream));
    }
    SVC_OK(cudaDeviceSynchronize());
    for (int batch : {1, 4, 8}) plans_[batch] = record(batch);
}

Engine::~Engine()
{
    for (auto& plan : plans_) cudaGraphExecDestroy(plan.second);
    for (float* buffer : activations_) cudaFree(buffer);
    cudaStreamDestroy(context_.stream);
}

void Engine::forward(int batch)
{
    int side = 0;
    for (auto& layer : model_) {
        layer->enqueue(context_, activations_[side], activations_[1 - side], batch);
        side = 1 - side;
    }
    SVC_OK(cudaGetLastError());
}

cudaGraphExec_t Engine::record(int batch)
{
    {
        const Arena::Scope scope(arena_);
        forward(batch);
        SVC_OK(cudaStreamSynchronize(context_.stream));
    }
    const Arena::Scope scope(arena_);
    cudaGraph_t graph;
    cudaGraphExec_t plan;
    SVC_OK(cudaStreamBeginCapture(context_.stream, cudaStreamCaptureModeThreadLocal));
    forward(batch);
    SVC_OK(cudaStreamEndCapture(context_.stream, &graph));
    SVC_OK(cudaGraphInstantiate(&plan, graph, 0));
    SVC_OK(cudaGraphDestroy(graph));
    return plan;
}

void Engine::infer(const std::vector<const float*>& rows, const std::vector<float*>& results)
{
    const int batch = bucketFor(int(rows.size()));
    const std::size_t bytes = std::size_t(batch) * kFeatures * sizeof(float);
    const Arena::Scope scope(arena_);
    float* in = arena_.take<float>(batch * kFeatures);
    float* out = arena_.take<float>(batch * kFeatures);
    std::fill_n(in, batch * kFeatures, 0.f);
    for (std::size_t r = 0; r < rows.size(); ++r) std::copy_n(rows[r], kFeatures, in + r * kFeatures);

    float* last = activations_[model_.size() % 2];
    SVC_OK(cudaMemcpyAsync(activations_[0], in, bytes, cudaMemcpyHostToDevice, context_.stream));
    SVC_OK(cudaGraphLaunch(plans_.at(batch), context_.stream));
    SVC_OK(cudaMemcpyAsync(out, last, bytes, cudaMemcpyDeviceToHost, context_.stream));
    SVC_OK(cudaStreamSynchronize(context_.stream));
    for (std::size_t r = 0; r < results.size(); ++r) std::copy_n(out + r * kFeatures, kFeatures, results[r]);
}
}  // namespace svc
