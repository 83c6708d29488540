#include "kmer.cuh"

namespace kmer {

__global__ void countKernel(const unsigned char* seq, unsigned* bins, int n, int nbins, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[seq[i] % nbins], 1u);
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

namespace {

class CounterImpl final : public Counter {
public:
    explicit CounterImpl(const CounterConfig& cfg) : cfg_(cfg) {
        bench::guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        bench::guard(cudaMalloc(reinterpret_cast<void**>(&seq_), cfg.bases));
        bench::guard(cudaMalloc(reinterpret_cast<void**>(&bins_), cfg.bins * sizeof(unsigned)));
        std::vector<unsigned char> host(cfg.bases);
        for (int i = 0; i < cfg.bases; ++i) host[i] = static_cast<unsigned char>(i);
        bench::guard(cudaMemcpyAsync(seq_, host.data(), host.size(), cudaMemcpyHostToDevice, stream_));
        bench::guard(cudaMemsetAsync(bins_, 0, cfg.bins * sizeof(unsigned), stream_));
        settle();
    }
    ~CounterImpl() override {
        cudaStreamSynchronize(stream_);
        cudaFree(seq_);
        cudaFree(bins_);
        cudaStreamDestroy(stream_);
    }

    std::string name() const override { return "kmer-count"; }
    cudaStream_t stream() const override { return stream_; }

    void enqueue() override {
        countKernel<<<32, 256, 0, stream_>>>(seq_, bins_, cfg_.bases, cfg_.bins, cfg_.scanNs);
        bench::guard(cudaGetLastError());
    }

    std::vector<unsigned> histogram() const override {
        std::vector<unsigned> h(cfg_.bins);
        bench::guard(cudaMemcpyAsync(h.data(), bins_, h.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
        settle();
        return h;
    }

private:
    CounterConfig cfg_;
    cudaStream_t stream_{};
    unsigned char* seq_ = nullptr;
    unsigned* bins_ = nullptr;
};

}  // namespace

std::unique_ptr<Counter> makeCounter(const CounterConfig& cfg) { return std::make_unique<CounterImpl>(cfg); }

}  // namespace kmer
