#include "cuda_guard.h"
#include "feature_engine.h"

namespace vis {
namespace {

__global__ void describe(const int* patches, int* descriptors, int count, unsigned long long ns)
{
    unsigned long long from, to;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
    } while (to - from < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        descriptors[i] += patches[i] * 2 + 1;
}

}  // namespace

FeatureEngine::FeatureEngine(const EngineOptions& options) : options_(options), lanes_(options.lanes)
{
    const std::size_t bytes = options_.patches * sizeof(int);
    guard(cudaMalloc(reinterpret_cast<void**>(&patches_), bytes));
    guard(cudaMalloc(reinterpret_cast<void**>(&descriptors_), bytes));
    guard(cudaMemset(descriptors_, 0, bytes));
    guard(cudaDeviceSynchronize());
    guard(cudaEventCreateWithFlags(&entered_, cudaEventDisableTiming));

    const int share = options_.patches / options_.lanes;
    for (int l = 0; l < options_.lanes; ++l) {
        Lane& lane = lanes_[l];
        guard(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
        guard(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming));
        lane.first = l * share;
        lane.count = l + 1 == options_.lanes ? options_.patches - lane.first : share;
    }
}

FeatureEngine::~FeatureEngine()
{
    for (Lane& lane : lanes_) {
        cudaStreamSynchronize(lane.stream);
        cudaEventDestroy(lane.done);
        cudaStreamDestroy(lane.stream);
    }
    cudaEventDestroy(entered_);
    cudaFree(descriptors_);
    cudaFree(patches_);
}

void FeatureEngine::load(const std::vector<int>& patches)
{
    guard(cudaMemcpy(patches_, patches.data(), patches.size() * sizeof(int), cudaMemcpyHostToDevice));
}

void FeatureEngine::extract(cudaStream_t caller)
{
    guard(cudaEventRecord(entered_, caller));
    for (Lane& lane : lanes_) {
        guard(cudaStreamWaitEvent(lane.stream, entered_, 0));
        describe<<<8, 256, 0, lane.stream>>>(patches_ + lane.first, descriptors_ + lane.first,
                                             lane.count, options_.descriptor_us * 1000ull);
        guard(cudaGetLastError());
        guard(cudaEventRecord(lane.done, lane.stream));
    }
}

void FeatureEngine::finish()
{
    for (Lane& lane : lanes_) guard(cudaEventSynchronize(lane.done));
}

std::vector<int> FeatureEngine::descriptors() const
{
    std::vector<int> host(options_.patches);
    guard(cudaMemcpy(host.data(), descriptors_, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace vis
