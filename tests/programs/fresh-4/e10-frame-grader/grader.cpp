#include "grader.h"

namespace grade {
namespace {

template <class T>
void allocate(T*& p, std::size_t count)
{
    must(cudaMalloc(reinterpret_cast<void**>(&p), count * sizeof(T)));
    must(cudaMemset(p, 0, count * sizeof(T)));
}

}  // namespace

Grader::Grader()
{
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    allocate(frame_.raw, kPixels);
    allocate(frame_.linear, kPixels);
    allocate(frame_.graded, kPixels);
    allocate(frame_.luma, 1);
    allocate(frame_.gain, 1);
    const int unity = 1 + 4096 / 16;
    must(cudaMemcpy(frame_.gain, &unity, sizeof(unity), cudaMemcpyHostToDevice));
    must(cudaDeviceSynchronize());
}

Grader::~Grader()
{
    cudaStreamSynchronize(stream_);
    stages_.clear();
    if (program_) cudaGraphExecDestroy(program_);
    cudaStreamDestroy(stream_);
    cudaFree(frame_.gain);
    cudaFree(frame_.luma);
    cudaFree(frame_.graded);
    cudaFree(frame_.linear);
    cudaFree(frame_.raw);
}

void Grader::compile()
{
    const StageContext ctx{stream_, frame_};
    must(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (auto& stage : stages_) stage->enqueue(ctx);
    cudaGraph_t graph = nullptr;
    must(cudaStreamEndCapture(stream_, &graph));
    must(cudaGraphInstantiate(&program_, graph, 0));
    must(cudaGraphDestroy(graph));
}

void Grader::process(const std::vector<std::uint16_t>& raw, std::vector<int>& graded)
{
    must(cudaMemcpyAsync(frame_.raw, raw.data(), raw.size() * sizeof(raw[0]),
                         cudaMemcpyHostToDevice, stream_));
    must(cudaGraphLaunch(program_, stream_));
    graded.resize(kPixels);
    must(cudaMemcpyAsync(graded.data(), frame_.graded, graded.size() * sizeof(graded[0]),
                         cudaMemcpyDeviceToHost, stream_));
    must(cudaStreamSynchronize(stream_));
}

}  // namespace grade
