#include "engine.hpp"

namespace align {

namespace {

__device__ void linger(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void complement_kernel(const std::uint8_t* in, std::uint8_t* out, int n) {
    linger(10'000'000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 3 - in[i];
}

__global__ void score_kernel(const std::uint8_t* in, int n, int weight, int* score) {
    linger(10'000'000);
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i] * weight;
    atomicAdd(score, sum);
}

std::uint8_t code(char base) {
    switch (base) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    default: return 3;
    }
}

}  // namespace

Engine::Engine(int batches) : results_(batches, 0) {
    all_ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
           cudaMalloc(&arena_, 8 * kReads),
           cudaMalloc(&d_scores_, batches * sizeof(int)),
           cudaMallocHost(&h_scores_, batches * sizeof(int)));
    all_ok(cudaMemset(d_scores_, 0, batches * sizeof(int)));
    for (auto& [host, uploaded] : stages_)
        all_ok(cudaMallocHost(&host, kReads), cudaEventCreateWithFlags(&uploaded, cudaEventDisableTiming));
    tickets_.reserve(batches);
    all_ok(cudaDeviceSynchronize());
}

Engine::~Engine() {
    all_ok(cudaStreamSynchronize(stream_));
    for (auto& [host, uploaded] : stages_) all_ok(cudaFreeHost(host), cudaEventDestroy(uploaded));
    all_ok(cudaFreeHost(h_scores_), cudaFree(d_scores_), cudaFree(arena_), cudaStreamDestroy(stream_));
}

void Engine::execute(const Command& c) {
    std::visit(overloaded{[this](const Encode& e) { encode(e); },
                          [this](const Complement& k) { complement(k); },
                          [this](const Score& s) { score(s); }},
               c);
}

void Engine::encode(const Encode& e) {
    if (reads_) blocks_.give(*reads_);
    const int b = blocks_.take();
    auto& [host, uploaded] = stages_[turn_++ % kStages];
    all_ok(cudaEventSynchronize(uploaded));
    for (int i = 0; i < kReads; ++i) host[i] = code(e.bases[(i + e.batch) % e.bases.size()]);
    all_ok(cudaMemcpyAsync(block(b), host, kReads, cudaMemcpyHostToDevice, stream_));
    all_ok(cudaEventRecord(uploaded, stream_));
    reads_ = b;
}

void Engine::complement(const Complement& c) {
    for (int k = 0; k < c.times; ++k) {
        const int from = *reads_, to = blocks_.take();
        complement_kernel<<<8, 256, 0, stream_>>>(block(from), block(to), kReads);
        all_ok(cudaGetLastError());
        blocks_.give(from);
        reads_ = to;
    }
}

void Engine::score(const Score& s) {
    score_kernel<<<8, 256, 0, stream_>>>(block(*reads_), kReads, s.weight, d_scores_ + s.batch);
    all_ok(cudaGetLastError());
    blocks_.give(*reads_);
    reads_.reset();
    all_ok(cudaMemcpyAsync(h_scores_ + s.batch, d_scores_ + s.batch, sizeof(int), cudaMemcpyDeviceToHost, stream_));
    {
        std::lock_guard lock(mutex_);
        ++outstanding_;
    }
    tickets_.push_back({this, s.batch});
    all_ok(cudaLaunchHostFunc(stream_, on_scored, &tickets_.back()));
}

void CUDART_CB Engine::on_scored(void* arg) {
    const auto& [engine, batch] = *static_cast<Ticket*>(arg);
    std::lock_guard lock(engine->mutex_);
    engine->results_[batch] = engine->h_scores_[batch];
    if (--engine->outstanding_ == 0) engine->scored_.notify_all();
}

const std::vector<int>& Engine::finish() {
    std::unique_lock lock(mutex_);
    scored_.wait(lock, [this] { return outstanding_ == 0; });
    return results_;
}

}  // namespace align
