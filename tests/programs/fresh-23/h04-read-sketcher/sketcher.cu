#include "sketcher.h"

namespace sketch {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 64;

__global__ void countKmers(const std::uint32_t* kmers, int count, std::uint32_t* sketch, int buckets,
                           long long hashCycles) {
    const long long begin = clock64();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&sketch[(kmers[i] * 2654435761u >> 16) % buckets], 1u);
    while (clock64() - begin < hashCycles) {
    }
}

}  // namespace

Sketcher::Sketcher(Config config, int batches) : config_(config), batches_(batches) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    slots_.resize(config_.slots);
    for (int i = 0; i < config_.slots; ++i) {
        slots_[i].kmers = makePinned<std::uint32_t>(config_.kmersPerBatch);
        free_.put(i);
    }
    kmers_ = makeDevice<std::uint32_t>(config_.kmersPerBatch);
    sketches_ = makeDevice<std::uint32_t>(std::size_t(batches_) * config_.buckets);
}

Sketcher::~Sketcher() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

std::vector<std::uint32_t> Sketcher::process(const Parser& parse) {
    std::future<std::vector<std::uint32_t>> result =
        std::async(std::launch::async, [this] { return deviceLoop(); });
    for (int batch = 0; batch < batches_; ++batch) {
        const std::optional<int> slot = free_.get();
        if (!slot) break;
        parse(batch, slots_[*slot].kmers.get(), config_.kmersPerBatch);
        filled_.put({batch, *slot});
    }
    filled_.close();
    return result.get();
}

std::vector<std::uint32_t> Sketcher::deviceLoop() {
    try {
        const std::size_t total = std::size_t(batches_) * config_.buckets;
        auto counts = makePinned<std::uint32_t>(total);
        must(cudaMemsetAsync(sketches_.get(), 0, total * sizeof(std::uint32_t), stream_));
        while (const std::optional<Job> job = filled_.get()) dispatch(*job);
        must(cudaMemcpyAsync(counts.get(), sketches_.get(), total * sizeof(std::uint32_t),
                             cudaMemcpyDeviceToHost, stream_));
        must(cudaStreamSynchronize(stream_));
        return {counts.get(), counts.get() + total};
    } catch (...) {
        free_.close();
        throw;
    }
}

void Sketcher::dispatch(const Job& job) {
    Slot& slot = slots_[job.slot];
    must(cudaMemcpyAsync(kmers_.get(), slot.kmers.get(),
                         std::size_t(config_.kmersPerBatch) * sizeof(std::uint32_t),
                         cudaMemcpyHostToDevice, stream_));
    countKmers<<<kBlocks, kThreads, 0, stream_>>>(
        kmers_.get(), config_.kmersPerBatch,
        sketches_.get() + std::size_t(job.batch) * config_.buckets, config_.buckets,
        config_.hashCycles);
    must(cudaGetLastError());
    free_.put(job.slot);
}

}  // namespace sketch
