#include "engine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace rerank {

namespace {

void expect(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <unsigned Milliseconds>
__device__ void layers() {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < Milliseconds * 1000000ull);
}

__global__ void embedPassages(const int* tokens, int* logits) {
    layers<25>();
    for (int i = threadIdx.x; i < kPassages; i += blockDim.x) logits[i] = tokens[i] * 5 + 3;
}

__global__ void calibrateScores(const int* logits, int* scores) {
    layers<50>();
    for (int i = threadIdx.x; i < kPassages; i += blockDim.x) scores[i] = logits[i] - logits[i] / 4;
}

constexpr std::size_t kBytes = kPassages * sizeof(int);

}  // namespace

Query::Query(int s) : seed(s) {
    expect(cudaMallocHost(&tokens, kBytes));
    expect(cudaMallocHost(&scores, kBytes));
    expect(cudaMalloc(&deviceTokens, kBytes));
    expect(cudaMalloc(&deviceLogits, kBytes));
    expect(cudaMalloc(&deviceScores, kBytes));
    expect(cudaEventCreateWithFlags(&embedded, cudaEventDisableTiming));
    for (int i = 0; i < kPassages; ++i) tokens[i] = i % 97 + seed;
    std::memset(scores, 0, kBytes);
}

Query::~Query() {
    cudaEventDestroy(embedded);
    cudaFree(deviceScores);
    cudaFree(deviceLogits);
    cudaFree(deviceTokens);
    cudaFreeHost(scores);
    cudaFreeHost(tokens);
}

Engine::Engine() {
    expect(cudaStreamCreateWithFlags(&embed_, cudaStreamNonBlocking));
    expect(cudaStreamCreateWithFlags(&calibrate_, cudaStreamNonBlocking));
}

Engine::~Engine() {
    flush();
    queries_.clear();
    cudaStreamDestroy(calibrate_);
    cudaStreamDestroy(embed_);
}

void Engine::flush() {
    expect(cudaStreamSynchronize(embed_));
    expect(cudaStreamSynchronize(calibrate_));
}

std::future<std::vector<int>> Engine::ask(int seed) {
    queries_.push_back(std::make_unique<Query>(seed));
    Query& q = *queries_.back();
    auto answer = q.answer.get_future();

    expect(cudaMemcpyAsync(q.deviceTokens, q.tokens, kBytes, cudaMemcpyHostToDevice, embed_));
    embedPassages<<<1, 512, 0, embed_>>>(q.deviceTokens, q.deviceLogits);
    expect(cudaGetLastError());
    expect(cudaEventRecord(q.embedded, embed_));

    expect(cudaStreamWaitEvent(calibrate_, q.embedded, 0));
    calibrateScores<<<1, 512, 0, calibrate_>>>(q.deviceLogits, q.deviceScores);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(q.scores, q.deviceScores, kBytes, cudaMemcpyDeviceToHost, calibrate_));
    expect(cudaLaunchHostFunc(embed_, &Engine::fulfil, &q));
    return answer;
}

void CUDART_CB Engine::fulfil(void* query) {
    auto* q = static_cast<Query*>(query);
    q->answer.set_value(std::vector<int>(q->scores, q->scores + kPassages));
}

}  // namespace rerank
