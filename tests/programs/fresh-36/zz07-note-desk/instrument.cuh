#pragma once
#include <utility>
#include <vector>

#include "policies.cuh"

namespace desk {

constexpr int kPaths = 2048;

template <class Payoff, class Random>
__global__ void valueLeg(Market m, double* leg) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < Payoff::budget);
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path < kPaths) leg[path] = samplePath<Payoff, Random>(m, path);
}

// CRTP base: what the desk asks of every instrument.
template <class Derived>
class Instrument {
public:
    void reprice(const Market& m) { self().launchAll(m); }
    double value() { return self().collect(); }
    double reference(const Market& m) { return self().onHost(m); }
    cudaStream_t stream() { return self().lanes().primary(); }

private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

// A structured note: the sum of its legs, each valued by Monte Carlo.
template <class Random, class LanePolicy, class... Legs>
class Note : public Instrument<Note<Random, LanePolicy, Legs...>>, private LanePolicy {
    friend class Instrument<Note>;
    static constexpr int kLegs = sizeof...(Legs);

public:
    Note() : host_(kLegs * kPaths) { ok(cudaMalloc(&legs_, host_.size() * sizeof(double))); }
    ~Note() { cudaFree(legs_); }

private:
    LanePolicy& lanes() { return *this; }

    void launchAll(const Market& m) {
        LanePolicy::spread();
        launchEach(m, std::make_index_sequence<kLegs>{});
    }

    template <std::size_t... I>
    void launchEach(const Market& m, std::index_sequence<I...>) {
        (launch<Legs>(m, static_cast<int>(I)), ...);
    }

    template <class Leg>
    void launch(const Market& m, int i) {
        valueLeg<Leg, Random><<<kPaths / 256, 256, 0, LanePolicy::lane(i)>>>(m, legs_ + i * kPaths);
        ok(cudaGetLastError());
    }

    double collect() {
        LanePolicy::gather();
        ok(cudaMemcpyAsync(host_.data(), legs_, host_.size() * sizeof(double), cudaMemcpyDeviceToHost, LanePolicy::primary()));
        ok(cudaStreamSynchronize(LanePolicy::primary()));
        double sum = 0.0;
        for (double v : host_) sum += v;
        return sum / kPaths;
    }

    double onHost(const Market& m) {
        double sum = 0.0;
        for (int p = 0; p < kPaths; ++p) sum += (samplePath<Legs, Random>(m, p) + ...);
        return sum / kPaths;
    }

    std::vector<double> host_;
    double* legs_ = nullptr;
};

}  // namespace desk
