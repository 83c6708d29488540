#include "replayer.h"

#include <cstring>

namespace {

__device__ void matchOrders(unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

__global__ void replayBatch(const Tick* ticks, int count, long long* sum) {
    matchOrders(30000000ull);
    __shared__ unsigned long long total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) mine += (long long)ticks[i].price * ticks[i].volume;
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) *sum = (long long)total;
}

}  // namespace

Replayer::Replayer(int workers, int batches)
    : staging_(workers + 1, kTicksPerBatch * sizeof(Tick)), venues_(workers), batches_(batches) {
    for (Venue& venue : venues_) {
        GPU(cudaStreamCreateWithFlags(&venue.stream, cudaStreamNonBlocking));
        GPU(cudaMalloc(&venue.ticks, kTicksPerBatch * sizeof(Tick)));
    }
    GPU(cudaMalloc(&sums_, batches * sizeof(long long)));
    GPU(cudaMallocHost(&turnover_, batches * sizeof(long long)));
}

Replayer::~Replayer() {
    for (Venue& venue : venues_) {
        cudaStreamSynchronize(venue.stream);
        cudaFree(venue.ticks);
        cudaStreamDestroy(venue.stream);
    }
    cudaFree(sums_);
    cudaFreeHost(turnover_);
}

bool Replayer::next(Batch& batch) {
    std::lock_guard<std::mutex> lock(queueMutex_);
    if (queue_.empty()) return false;
    batch = std::move(queue_.front());
    queue_.pop();
    return true;
}

void Replayer::submit(Venue& venue, const Batch& batch) {
    const std::size_t bytes = batch.ticks.size() * sizeof(Tick);
    StagingPool::Lease lease = staging_.acquire();
    std::memcpy(lease.as<Tick>(), batch.ticks.data(), bytes);
    GPU(cudaMemcpyAsync(venue.ticks, lease.as<Tick>(), bytes, cudaMemcpyHostToDevice, venue.stream));
    replayBatch<<<1, 256, 0, venue.stream>>>(venue.ticks, int(batch.ticks.size()), sums_ + batch.id);
    GPU(cudaGetLastError());
    GPU(cudaMemcpyAsync(turnover_ + batch.id, sums_ + batch.id, sizeof(long long), cudaMemcpyDeviceToHost,
                        venue.stream));
}

void Replayer::replay(Venue& venue) {
    Batch batch;
    while (next(batch)) submit(venue, batch);
    GPU(cudaStreamSynchronize(venue.stream));
}

void Replayer::run() {
    std::vector<std::thread> workers;
    for (Venue& venue : venues_) workers.emplace_back([this, &venue] { replay(venue); });
    for (std::thread& worker : workers) worker.join();
}
