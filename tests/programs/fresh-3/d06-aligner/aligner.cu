#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "pinned_pool.h"
#include "scorer.cuh"

struct Config {
    int batches = 24;
    int reads = 2048;
    int workers = 2;
    int ref_len = 1 << 16;
    int extend_us = 25000;

    Config(int argc, char** argv) {
        for (int i = 1; i + 1 < argc; i += 2) {
            std::string k(argv[i]);
            int v = std::stoi(argv[i + 1]);
            if (k == "-b") batches = v;
            else if (k == "-r") reads = v;
            else if (k == "-w") workers = v;
            else if (k == "-e") extend_us = v;
        }
    }
};

static void sequence_reads(uint8_t* dst, const std::vector<uint8_t>& ref, int batch, int reads) {
    const int len = int(ref.size());
    uint32_t noise = 2654435761u * (batch + 1);
    for (int r = 0; r < reads; ++r) {
        int seed = (batch * reads + r) * 7 % len;
        for (int i = 0; i < kReadLen; ++i) {
            noise = noise * 1664525u + 1013904223u;
            uint8_t base = ref[(seed + i) % len];
            if ((noise >> 24) < 30) base = "ACGT"[(noise >> 16) & 3];
            dst[size_t(r) * kReadLen + i] = base;
        }
    }
}

class Worker {
public:
    Worker(const Config& c, std::shared_ptr<PinnedPool> pool, const std::vector<uint8_t>& ref, const uint8_t* d_ref,
           int* d_scores)
        : c_(c), pool_(std::move(pool)), ref_(ref), d_ref_(d_ref), d_scores_(d_scores) {
        CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CUDA_OK(cudaMalloc(&d_reads_, pool_->block_bytes()));
    }
    ~Worker() {
        cudaFree(d_reads_);
        cudaStreamDestroy(stream_);
    }

    void run(std::atomic<int>& next) {
        for (int b; (b = next.fetch_add(1)) < c_.batches;) submit(b);
        CUDA_OK(cudaStreamSynchronize(stream_));
    }

private:
    void submit(int batch) {
        PinnedPool::Block block = pool_->lease();
        sequence_reads(block.get(), ref_, batch, c_.reads);
        CUDA_OK(cudaMemcpyAsync(d_reads_, block.get(), pool_->block_bytes(), cudaMemcpyHostToDevice, stream_));
        launch_scorer(d_reads_, d_ref_, int(ref_.size()), d_scores_ + size_t(batch) * c_.reads, c_.reads,
                      batch * c_.reads, c_.extend_us, stream_);
        CUDA_OK(cudaGetLastError());
    }

    const Config& c_;
    std::shared_ptr<PinnedPool> pool_;
    const std::vector<uint8_t>& ref_;
    const uint8_t* d_ref_;
    int* d_scores_;
    cudaStream_t stream_{};
    uint8_t* d_reads_ = nullptr;
};

int main(int argc, char** argv) {
    const Config cfg(argc, argv);
    std::vector<uint8_t> ref(cfg.ref_len);
    std::mt19937 rng(42);
    for (auto& b : ref) b = "ACGT"[rng() & 3];

    const size_t total = size_t(cfg.batches) * cfg.reads;
    uint8_t* d_ref = nullptr;
    int* d_scores = nullptr;
    CUDA_OK(cudaMalloc(&d_ref, ref.size()));
    CUDA_OK(cudaMalloc(&d_scores, total * sizeof(int)));
    CUDA_OK(cudaMemcpy(d_ref, ref.data(), ref.size(), cudaMemcpyHostToDevice));
    CUDA_OK(cudaDeviceSynchronize());

    auto pool = PinnedPool::create(size_t(cfg.reads) * kReadLen);
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < cfg.workers; ++i)
        workers.push_back(std::make_unique<Worker>(cfg, pool, ref, d_ref, d_scores));

    std::atomic<int> next{0};
    auto t0 = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (auto& w : workers) threads.emplace_back(&Worker::run, w.get(), std::ref(next));
    for (auto& t : threads) t.join();
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::printf("%zu reads, %.0f reads/s, %zu staging blocks\n", total, total / sec, pool->blocks());

    std::vector<int> scores(total);
    CUDA_OK(cudaMemcpy(scores.data(), d_scores, total * sizeof(int), cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    std::vector<uint8_t> reads(size_t(cfg.reads) * kReadLen);
    for (int b = 0; b < cfg.batches; ++b) {
        sequence_reads(reads.data(), ref, b, cfg.reads);
        for (int r = 0; r < cfg.reads; ++r) {
            int seed = (b * cfg.reads + r) * 7 % cfg.ref_len;
            wrong += scores[size_t(b) * cfg.reads + r] != score_read(&reads[size_t(r) * kReadLen], ref.data(), cfg.ref_len, seed);
        }
    }
    workers.clear();
    CUDA_OK(cudaFree(d_ref));
    CUDA_OK(cudaFree(d_scores));
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
