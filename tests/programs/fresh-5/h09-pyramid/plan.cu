#include "plan.hpp"

#include <algorithm>
#include <numeric>

namespace fovea {

namespace {

__global__ void filter(const int* line, int width, const int* taps, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    int sum = 0;
    for (int k = 0; k < kTaps; ++k) {
        const int j = min(max(i + k - kTaps / 2, 0), width - 1);
        sum += taps[k] * line[j];
    }
    out[i] = sum;
}

std::size_t widest(const std::vector<Level>& levels)
{
    const auto it = std::max_element(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.width < b.width; });
    return static_cast<std::size_t>(it->width);
}

}  // namespace

Kernel make_kernel(const Level& level)
{
    Kernel taps{};
    for (int k = 0; k < kTaps; ++k) taps[k] = std::max(1, level.spread * 4 - std::abs(k - kTaps / 2) * level.spread);
    return taps;
}

FoveaPlan::FoveaPlan(std::vector<Level> levels)
    : levels_(std::move(levels)),
      taps_host_(page_locked<int>(kTaps * levels_.size())),
      taps_(on_device<int>(kTaps * levels_.size())),
      line_(on_device<int>(widest(levels_))),
      output_(on_device<int>(offset(levels_.size())))
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

FoveaPlan::~FoveaPlan()
{
    if (exec_) cudaGraphExecDestroy(*exec_);
    cudaStreamDestroy(stream_);
}

std::size_t FoveaPlan::offset(std::size_t level) const
{
    return std::accumulate(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(level), std::size_t{0},
                           [](std::size_t sum, const Level& l) { return sum + static_cast<std::size_t>(l.width); });
}

void FoveaPlan::enqueue(std::size_t index)
{
    const Level& level = levels_[index];
    int* taps = taps_.get() + kTaps * index;
    int* staged = taps_host_.get() + kTaps * index;

    const Kernel kernel = make_kernel(level);
    std::copy(kernel.begin(), kernel.end(), staged);
    check(cudaMemcpyAsync(taps, staged, sizeof(Kernel), cudaMemcpyHostToDevice, stream_));
    filter<<<(level.width + 127) / 128, 128, 0, stream_>>>(line_.get(), level.width, taps, output_.get() + offset(index));
    check(cudaGetLastError());
}

void FoveaPlan::build()
{
    cudaGraph_t graph{};
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (std::size_t i = 0; i < levels_.size(); ++i) enqueue(i);
    check(cudaStreamEndCapture(stream_, &graph));

    cudaGraphExec_t exec{};
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphDestroy(graph));
    exec_ = exec;
}

std::vector<int> FoveaPlan::run(const std::vector<int>& scanline)
{
    if (!exec_) build();
    std::vector<int> result(offset(levels_.size()));
    check(cudaMemcpyAsync(line_.get(), scanline.data(), scanline.size() * sizeof(int), cudaMemcpyHostToDevice, stream_));
    check(cudaGraphLaunch(*exec_, stream_));
    check(cudaMemcpyAsync(result.data(), output_.get(), result.size() * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return result;
}

}  // namespace fovea
