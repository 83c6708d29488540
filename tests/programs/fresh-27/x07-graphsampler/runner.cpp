#include "ops.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace gs {

// Runs a decode step eagerly once, then replays it as a graph for every batch.
class StepRunner {
public:
    explicit StepRunner(const Shape& shape);
    ~StepRunner();
    StepRunner(const StepRunner&) = delete;
    StepRunner& operator=(const StepRunner&) = delete;

    std::vector<int> warmUp(const std::vector<int>& tokens);
    void capture();
    std::vector<int> step(const std::vector<int>& tokens);

private:
    void feed(const std::vector<int>& tokens, cudaStream_t stream);
    std::vector<int> fetch(cudaStream_t stream);

    Shape shape_;
    Trunk trunk_;
    Sampler sampler_;
    Activations act_;
    int* hostTokens_ = nullptr;
    int* hostPicks_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

StepRunner::StepRunner(const Shape& shape) : shape_(shape), trunk_(shape), sampler_(shape) {
    const std::size_t b = shape.batch;
    GS_CHECK(cudaMalloc(&act_.tokens, b * sizeof(int)));
    GS_CHECK(cudaMalloc(&act_.hidden, b * shape.hidden * sizeof(int)));
    GS_CHECK(cudaMalloc(&act_.logits, b * shape.vocab * sizeof(int)));
    GS_CHECK(cudaMalloc(&act_.picks, b * sizeof(int)));
    GS_CHECK(cudaMallocHost(&hostTokens_, b * sizeof(int)));
    GS_CHECK(cudaMallocHost(&hostPicks_, b * sizeof(int)));
    GS_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

StepRunner::~StepRunner() {
    cudaStreamSynchronize(stream_);
    if (exec_) cudaGraphExecDestroy(exec_);
    if (graph_) cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
    cudaFreeHost(hostPicks_);
    cudaFreeHost(hostTokens_);
    cudaFree(act_.picks);
    cudaFree(act_.logits);
    cudaFree(act_.hidden);
    cudaFree(act_.tokens);
}

void StepRunner::feed(const std::vector<int>& tokens, cudaStream_t stream) {
    std::copy(tokens.begin(), tokens.end(), hostTokens_);
    GS_CHECK(cudaMemcpyAsync(act_.tokens, hostTokens_, shape_.batch * sizeof(int), cudaMemcpyHostToDevice, stream));
}

std::vector<int> StepRunner::fetch(cudaStream_t stream) {
    GS_CHECK(cudaMemcpyAsync(hostPicks_, act_.picks, shape_.batch * sizeof(int), cudaMemcpyDeviceToHost, stream));
    GS_CHECK(cudaStreamSynchronize(stream));
    return std::vector<int>(hostPicks_, hostPicks_ + shape_.batch);
}

std::vector<int> StepRunner::warmUp(const std::vector<int>& tokens) {
    cudaStream_t stream = Runtime::instance().stream();
    feed(tokens, stream);
    trunk_.enqueue(act_, stream);
    sampler_.enqueue(act_);
    return fetch(stream);
}

void StepRunner::capture() {
    GS_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    trunk_.enqueue(act_, stream_);
    sampler_.enqueue(act_);
    GS_CHECK(cudaStreamEndCapture(stream_, &graph_));
    GS_CHECK(cudaGraphInstantiate(&exec_, graph_, 0));
}

std::vector<int> StepRunner::step(const std::vector<int>& tokens) {
    feed(tokens, stream_);
    GS_CHECK(cudaGraphLaunch(exec_, stream_));
    return fetch(stream_);
}

}  // namespace gs

namespace {

std::vector<int> makeBatch(const gs::Shape& shape, int step) {
    std::vector<int> tokens(shape.batch);
    for (int b = 0; b < shape.batch; ++b) tokens[b] = (step * 131 + b * 29 + 1) % 5000;
    return tokens;
}

int referencePick(const gs::Shape& shape, int token) {
    int best = -1, index = 0;
    for (int v = 0; v < shape.vocab; ++v) {
        int acc = 0;
        for (int c = 0; c < shape.hidden; ++c) acc += gs::embed(token, c) * gs::weight(c, v);
        if (acc > best) {
            best = acc;
            index = v;
        }
    }
    return index * 4096 + (best & 0xfff);
}

int mismatches(const gs::Shape& shape, const std::vector<int>& tokens, const std::vector<int>& picks) {
    int wrong = 0;
    for (int b = 0; b < shape.batch; ++b) wrong += picks[b] != referencePick(shape, tokens[b]);
    return wrong;
}

}  // namespace

int main() {
    gs::Shape shape;
    gs::StepRunner runner(shape);

    auto tokens = makeBatch(shape, 0);
    int wrong = mismatches(shape, tokens, runner.warmUp(tokens));
    runner.capture();
    for (int step = 1; step <= 10; ++step) {
        tokens = makeBatch(shape, step);
        wrong += mismatches(shape, tokens, runner.step(tokens));
    }

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
