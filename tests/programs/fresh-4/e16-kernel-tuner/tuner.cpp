#include "tuner.h"
#include <algorithm>
#include <chrono>

namespace tune {

Tuner::Tuner(int launches_per_sample, int samples) : launches_(launches_per_sample), samples_(samples)
{
    req(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Tuner::~Tuner()
{
    cudaStreamDestroy(stream_);
}

Measurement Tuner::measure(const Candidate& c)
{
    Measurement m;
    m.name = c.name;
    m.model_ms = c.model_ms;

    const auto cold = std::chrono::steady_clock::now();
    c.launch(stream_);
    req(cudaStreamSynchronize(stream_));
    m.cold_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - cold).count();

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    req(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches_; ++i) c.launch(stream_);
    req(cudaStreamEndCapture(stream_, &graph));
    req(cudaGraphInstantiate(&exec, graph, 0));
    req(cudaGraphUpload(exec, stream_));
    req(cudaGraphLaunch(exec, stream_));

    std::vector<Interval> intervals;
    for (int s = 0; s < samples_; ++s) {
        intervals.emplace_back();
        intervals.back().open(stream_);
        req(cudaGraphLaunch(exec, stream_));
        intervals.back().close(stream_);
    }

    std::vector<float> ms;
    for (const Interval& i : intervals) ms.push_back(i.ms());
    std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
    m.steady_ms = ms[ms.size() / 2] / launches_;

    req(cudaGraphExecDestroy(exec));
    req(cudaGraphDestroy(graph));
    return m;
}

std::vector<Measurement> Tuner::run()
{
    std::vector<Measurement> table;
    for (const Candidate& c : candidates_) table.push_back(measure(c));
    std::sort(table.begin(), table.end(),
              [](const Measurement& a, const Measurement& b) { return a.steady_ms < b.steady_ms; });
    return table;
}

}  // namespace tune
