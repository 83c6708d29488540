#pragma once
#include "transport.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <thrust/device_vector.h>

#include <vector>

namespace mc {

// The particles of one independent replica.
class ParticleBank {
public:
    explicit ParticleBank(unsigned seed)
        : seed_(seed), cells_(kParticles), ids_(kParticles), grouped_cells_(kParticles), grouped_ids_(kParticles),
          tally_(kCells)
    {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        std::size_t bytes = 0;
        ok(sort(nullptr, bytes));
        scratch_.resize(bytes);
    }
    ~ParticleBank() { cudaStreamDestroy(stream_); }
    ParticleBank(const ParticleBank&) = delete;
    ParticleBank& operator=(const ParticleBank&) = delete;

    void generation(unsigned g)
    {
        fly(raw(cells_), raw(ids_), seed_, g, stream_);
        group();
        score(raw(grouped_cells_), raw(grouped_ids_), raw(tally_), stream_);
    }

    void clear_tally()
    {
        ok(cudaMemsetAsync(raw(tally_), 0, kCells * sizeof(unsigned long long), stream_));
    }

    std::vector<unsigned long long> tally() const
    {
        std::vector<unsigned long long> h(kCells);
        ok(cudaMemcpyAsync(h.data(), thrust::raw_pointer_cast(tally_.data()), kCells * sizeof(unsigned long long),
                           cudaMemcpyDeviceToHost, stream_));
        ok(cudaStreamSynchronize(stream_));
        return h;
    }

    unsigned seed() const { return seed_; }
    void finish() const { ok(cudaStreamSynchronize(stream_)); }

private:
    template <class T>
    static T* raw(thrust::device_vector<T>& v)
    {
        return thrust::raw_pointer_cast(v.data());
    }

    cudaError_t sort(void* scratch, std::size_t& bytes)
    {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, raw(cells_), raw(grouped_cells_), raw(ids_),
                                               raw(grouped_ids_), kParticles, 0, 32, stream_);
    }

    void group()
    {
        std::size_t bytes = scratch_.size();
        ok(sort(raw(scratch_), bytes));
    }

    unsigned seed_;
    cudaStream_t stream_ = nullptr;
    thrust::device_vector<unsigned> cells_;
    thrust::device_vector<unsigned> ids_;
    thrust::device_vector<unsigned> grouped_cells_;
    thrust::device_vector<unsigned> grouped_ids_;
    thrust::device_vector<unsigned long long> tally_;
    thrust::device_vector<unsigned char> scratch_;
};

} // namespace mc
