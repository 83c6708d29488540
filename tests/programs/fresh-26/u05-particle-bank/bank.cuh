#pragma once
#include "transport.cuh"

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <vector>

namespace mc {

// The particles of one independent replica.
class ParticleBank {
public:
    explicit ParticleBank(unsigned seed) : seed_(seed), cells_(kParticles), ids_(kParticles), tally_(kCells)
    {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~ParticleBank() { cudaStreamDestroy(stream_); }
    ParticleBank(const ParticleBank&) = delete;
    ParticleBank& operator=(const ParticleBank&) = delete;

    void generation(unsigned g)
    {
        unsigned* cells = thrust::raw_pointer_cast(cells_.data());
        unsigned* ids = thrust::raw_pointer_cast(ids_.data());
        fly(cells, ids, seed_, g, stream_);
        group();
        score(cells, ids, thrust::raw_pointer_cast(tally_.data()), stream_);
    }

    void clear_tally()
    {
        ok(cudaMemsetAsync(thrust::raw_pointer_cast(tally_.data()), 0, kCells * sizeof(unsigned long long), stream_));
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
    void group()
    {
        thrust::sort_by_key(thrust::cuda::par.on(stream_), cells_.begin(), cells_.end(), ids_.begin());
    }

    unsigned seed_;
    cudaStream_t stream_ = nullptr;
    thrust::device_vector<unsigned> cells_;
    thrust::device_vector<unsigned> ids_;
    thrust::device_vector<unsigned long long> tally_;
};

} // namespace mc
