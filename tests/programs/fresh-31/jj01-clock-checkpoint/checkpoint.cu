#include "checkpoint.h"

namespace ckpt {

constexpr int kSlices = 16;
constexpr unsigned long long kSliceNs = 6'000'000ull;

__global__ void pack_kernel(const lat::Spin* spins, std::uint32_t* out, size_t words,
                            unsigned long long slice_ns) {
    const size_t per = (words + kSlices - 1) / kSlices;
    for (int s = 0; s < kSlices; ++s) {
        unsigned long long t0, t;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
        size_t end = min(words, (s + 1) * per);
        for (size_t i = s * per + threadIdx.x; i < end; i += blockDim.x)
            out[i] = (spins[2 * i] & 0xffffu) | (spins[2 * i + 1] << 16);
        do {
            asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
        } while (t - t0 < slice_ns);
        __syncthreads();
    }
}

Writer::Writer(size_t sites, int capacity) : words_(sites / 2) {
    RT(cudaMalloc(&packed_, words_ * sizeof(std::uint32_t)));
    for (int i = 0; i < capacity; ++i) {
        Record rec{0, nullptr, words_};
        RT(cudaMallocHost(&rec.words, words_ * sizeof(std::uint32_t)));
        records_.push_back(rec);
    }
}

Writer::~Writer() {
    lane_.drain();
    for (Record& r : records_) cudaFreeHost(r.words);
    cudaFree(packed_);
}

void Writer::save(const lat::Lattice& l, unsigned step) {
    Record& rec = records_.at(used_++);
    rec.step = step;
    const lat::Slab& slab = l.current();
    l.lane().stamp(ready_);
    lane_.follow(ready_);
    slab.lend(lane_);
    pack_kernel<<<1, 256, 0, lane_.raw()>>>(slab.data(), packed_, words_, kSliceNs);
    RT(cudaGetLastError());
    RT(cudaMemcpyAsync(rec.words, packed_, words_ * sizeof(std::uint32_t),
                       cudaMemcpyDeviceToHost, lane_.raw()));
}

}  // namespace ckpt
