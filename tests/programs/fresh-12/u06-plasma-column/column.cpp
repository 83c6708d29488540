#include "column.h"

#include <utility>

namespace plasma {

namespace {
constexpr size_t kBytes = kCells * sizeof(float);
}

Column::Column(const std::vector<std::string>& terms, const std::vector<float>& taps,
               std::vector<float> density, const std::vector<float>& drive)
    : initial_(std::move(density))
{
    must(cudaStreamCreateWithFlags(&setup_, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&replay_, cudaStreamNonBlocking));
    for (float** p : {&fields_.density, &fields_.source, &fields_.smooth, &fields_.drive}) {
        must(cudaMalloc(p, kBytes));
        must(cudaMemsetAsync(*p, 0, kBytes, setup_));
    }
    must(cudaMemcpyAsync(fields_.drive, drive.data(), kBytes, cudaMemcpyHostToDevice, setup_));
    must(cudaStreamSynchronize(setup_));

    const OperatorContext ctx{setup_, taps};
    for (const auto& name : terms) terms_.push_back(makeOperator(name, ctx));
    restart();
}

Column::~Column()
{
    if (exec_) cudaGraphExecDestroy(exec_);
    terms_.clear();
    for (float* p : {fields_.density, fields_.source, fields_.smooth, fields_.drive}) cudaFree(p);
    cudaStreamDestroy(replay_);
    cudaStreamDestroy(setup_);
}

void Column::restart()
{
    must(cudaMemcpyAsync(fields_.density, initial_.data(), kBytes, cudaMemcpyHostToDevice, setup_));
    must(cudaStreamSynchronize(setup_));
}

void Column::step(cudaStream_t s)
{
    for (auto& t : terms_) t->enqueue(fields_, s);
}

void Column::prepare()
{
    step(setup_);
    must(cudaStreamSynchronize(setup_));
    restart();

    cudaGraph_t graph = nullptr;
    must(cudaStreamBeginCapture(replay_, cudaStreamCaptureModeThreadLocal));
    step(replay_);
    must(cudaStreamEndCapture(replay_, &graph));
    must(cudaGraphInstantiate(&exec_, graph, 0));
    must(cudaGraphDestroy(graph));
}

void Column::run(int steps)
{
    for (int i = 0; i < steps; ++i) must(cudaGraphLaunch(exec_, replay_));
    must(cudaStreamSynchronize(replay_));
}

std::vector<float> Column::density() const
{
    std::vector<float> out(kCells);
    must(cudaMemcpyAsync(out.data(), fields_.density, kBytes, cudaMemcpyDeviceToHost, replay_));
    must(cudaStreamSynchronize(replay_));
    return out;
}

}  // namespace plasma
