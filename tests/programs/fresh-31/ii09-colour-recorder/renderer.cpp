#include "renderer.h"

namespace grade {

Renderer::Renderer(const LookConfig& look, int pixels)
    : pixels_(pixels), stages_(make_look(look)), scratch_(std::size_t{64} * 1024) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const std::size_t bytes = pixels * sizeof(float);
    expect(cudaMalloc(reinterpret_cast<void**>(&source_), bytes));
    for (float*& plane : planes_) expect(cudaMalloc(reinterpret_cast<void**>(&plane), bytes));
}

Renderer::~Renderer() {
    cudaStreamSynchronize(stream_);
    if (take_) cudaGraphExecDestroy(take_);
    for (float* plane : planes_) cudaFree(plane);
    cudaFree(source_);
    cudaStreamDestroy(stream_);
}

void Renderer::load(const std::vector<float>& image) {
    expect(cudaMemcpy(source_, image.data(), pixels_ * sizeof(float), cudaMemcpyHostToDevice));
    for (float* plane : planes_) expect(cudaMemset(plane, 0, pixels_ * sizeof(float)));
    expect(cudaDeviceSynchronize());
}

void Renderer::run_stages(Pass pass) {
    RenderContext context;
    context.stream = stream_;
    context.scratch = &scratch_;
    context.pass = pass;
    const float* in = source_;
    int target = 0;
    for (auto& stage : stages_) {
        stage->enqueue(context, in, planes_[target], pixels_);
        in = planes_[target];
        last_plane_ = target;
        target ^= 1;
    }
}

void Renderer::preview() {
    run_stages(Pass::immediate);
}

void Renderer::record() {
    cudaGraph_t graph = nullptr;
    expect(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    run_stages(Pass::recording);
    expect(cudaStreamEndCapture(stream_, &graph));
    expect(cudaGraphInstantiate(&take_, graph, 0));
    expect(cudaGraphDestroy(graph));
}

void Renderer::play(int times) {
    for (int i = 0; i < times; ++i) expect(cudaGraphLaunch(take_, stream_));
    expect(cudaStreamSynchronize(stream_));
}

std::vector<float> Renderer::result() const {
    std::vector<float> out(pixels_);
    expect(cudaMemcpy(out.data(), planes_[last_plane_], pixels_ * sizeof(float), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace grade
