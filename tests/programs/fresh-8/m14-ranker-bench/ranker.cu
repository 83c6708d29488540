#include "ranker.h"

namespace rec {

namespace {

__global__ void score_kernel(float* scratch, float* out, int batch, int items, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    } while (t - t0 < ns);
    const int total = batch * items;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        scratch[i] = float(i / items);
        out[i] = scratch[i] + 0.5f * float(i % items);
    }
}

constexpr unsigned long long kScoreNs = 20'000'000ull;

int bucket_of(int batch)
{
    int b = 1;
    while (b < batch) b *= 2;
    return b;
}

} // namespace

Ranker::Ranker(int items, cudaStream_t stream) : items_(items), stream_(stream)
{
    must(cudaMalloc(&out_, sizeof(float) * max_batch() * items));
}

Ranker::~Ranker()
{
    for (auto& [bucket, l] : launches_) cudaFree(l.scratch);
    cudaFree(out_);
}

void Ranker::issue(const Launch& l, int batch)
{
    score_kernel<<<32, l.threads, 0, stream_>>>(l.scratch, out_, batch, items_, kScoreNs);
    must(cudaGetLastError());
}

// Tries the block sizes on the bucket's full extent and keeps the best.
Launch Ranker::choose(int bucket)
{
    Launch trial{bucket, 0, nullptr};
    must(cudaMalloc(&trial.scratch, sizeof(float) * bucket * items_));
    cudaEvent_t a, b;
    must(cudaEventCreate(&a));
    must(cudaEventCreate(&b));
    std::optional<float> best;
    int best_threads = 0;
    for (int threads : {64, 128, 256, 512}) {
        trial.threads = threads;
        must(cudaEventRecord(a, stream_));
        for (int r = 0; r < 2; ++r) issue(trial, bucket);
        must(cudaEventRecord(b, stream_));
        must(cudaEventSynchronize(b));
        float ms = 0;
        must(cudaEventElapsedTime(&ms, a, b));
        if (!best || ms < *best) {
            best = ms;
            best_threads = threads;
        }
    }
    must(cudaEventDestroy(b));
    must(cudaEventDestroy(a));
    trial.threads = best_threads;
    return trial;
}

const Launch& Ranker::launch_for(int batch)
{
    const int bucket = bucket_of(batch);
    auto it = launches_.find(bucket);
    if (it == launches_.end()) it = launches_.emplace(bucket, choose(bucket)).first;
    return it->second;
}

void Ranker::score(int batch) { issue(launch_for(batch), batch); }

std::vector<float> Ranker::scores(int batch) const
{
    std::vector<float> v(size_t(batch) * items_);
    must(cudaStreamSynchronize(stream_));
    must(cudaMemcpy(v.data(), out_, v.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return v;
}

} // namespace rec
