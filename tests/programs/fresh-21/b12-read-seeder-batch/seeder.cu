#include "seeder.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(2);
}

constexpr int kSeed = 11;

__host__ __device__ inline int seeds_of(const std::uint8_t* read, int length) {
    unsigned kmer = 0, seeds = 0;
    for (int i = 0; i < length; ++i) {
        kmer = ((kmer << 2) | (read[i] & 3u)) & ((1u << (2 * kSeed)) - 1u);
        if (i + 1 >= kSeed && ((kmer * 2654435761u) >> 28) == 0) ++seeds;
    }
    return static_cast<int>(seeds);
}

__global__ void seed_batch(const std::uint8_t* bases, int* seeds, unsigned long long* total, int reads, int length) {
    const long long begin = clock64();
    while (clock64() - begin < 40000000ll) continue;
    const int read = blockIdx.x * blockDim.x + threadIdx.x;
    if (read >= reads) return;
    const int found = seeds_of(bases + static_cast<std::size_t>(read) * length, length);
    seeds[read] = found;
    atomicAdd(total, static_cast<unsigned long long>(found));
}

}  // namespace

int count_seeds(const std::uint8_t* read, int length) { return seeds_of(read, length); }

struct Seeder::Impl {
    struct Delivery {
        Sink* sink = nullptr;
        BatchView view;
    };

    static void CUDART_CB deliver(void* argument) {
        const Delivery* delivery = static_cast<const Delivery*>(argument);
        (*delivery->sink)(delivery->view);
    }

    RunLimits limits;
    Sink sink;
    std::size_t bases_per_batch = 0;
    cudaStream_t stream = nullptr;
    std::uint8_t* staging = nullptr;  // pinned, all batches
    int* seeds = nullptr;             // pinned, all batches
    unsigned long long *total = nullptr, *device_total = nullptr;
    std::uint8_t* device_bases = nullptr;
    int* device_seeds = nullptr;
    std::vector<Delivery> deliveries;
};

Seeder::Seeder(const RunLimits& limits, Sink sink) : impl_(new Impl) {
    Impl& self = *impl_;
    self.limits = limits;
    self.sink = std::move(sink);
    self.bases_per_batch = static_cast<std::size_t>(limits.reads_per_batch) * limits.read_length;
    self.deliveries.resize(limits.batches);
    const std::size_t seeds_bytes = limits.reads_per_batch * sizeof(int);
    require(cudaStreamCreateWithFlags(&self.stream, cudaStreamNonBlocking));
    require(cudaMallocHost(reinterpret_cast<void**>(&self.staging), self.bases_per_batch * limits.batches));
    require(cudaMallocHost(reinterpret_cast<void**>(&self.seeds), seeds_bytes * limits.batches));
    require(cudaMallocHost(reinterpret_cast<void**>(&self.total), sizeof(unsigned long long)));
    require(cudaMalloc(reinterpret_cast<void**>(&self.device_bases), self.bases_per_batch));
    require(cudaMalloc(reinterpret_cast<void**>(&self.device_seeds), seeds_bytes));
    require(cudaMalloc(reinterpret_cast<void**>(&self.device_total), sizeof(unsigned long long)));
    require(cudaMemsetAsync(self.device_total, 0, sizeof(unsigned long long), self.stream));
}

Seeder::~Seeder() {
    Impl& self = *impl_;
    cudaStreamSynchronize(self.stream);
    cudaFree(self.device_total);
    cudaFree(self.device_seeds);
    cudaFree(self.device_bases);
    cudaFreeHost(self.total);
    cudaFreeHost(self.seeds);
    cudaFreeHost(self.staging);
    cudaStreamDestroy(self.stream);
}

void Seeder::submit(int batch, const std::vector<std::uint8_t>& bases) {
    Impl& self = *impl_;
    const int reads = self.limits.reads_per_batch;
    std::uint8_t* staged = self.staging + batch * self.bases_per_batch;
    std::copy(bases.begin(), bases.end(), staged);
    require(cudaMemcpyAsync(self.device_bases, staged, bases.size(), cudaMemcpyHostToDevice, self.stream));
    seed_batch<<<(reads + 127) / 128, 128, 0, self.stream>>>(self.device_bases, self.device_seeds, self.device_total,
                                                             reads, self.limits.read_length);
    require(cudaGetLastError());
    int* seeds = self.seeds + static_cast<std::size_t>(batch) * reads;
    require(cudaMemcpyAsync(seeds, self.device_seeds, reads * sizeof(int), cudaMemcpyDeviceToHost, self.stream));
    self.deliveries[batch] = {&self.sink, {batch, seeds, reads}};
    require(cudaLaunchHostFunc(self.stream, Impl::deliver, &self.deliveries[batch]));
}

unsigned long long Seeder::finish() {
    Impl& self = *impl_;
    require(cudaMemcpyAsync(self.total, self.device_total, sizeof(unsigned long long), cudaMemcpyDeviceToHost,
                            self.stream));
    require(cudaStreamSynchronize(self.stream));
    return *self.total;
}
