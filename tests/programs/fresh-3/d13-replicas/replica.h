#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

namespace ising {

[[noreturn]] inline void fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}
inline void must(cudaError_t e) {
    if (e != cudaSuccess) fail(e);
}

class Replica {
public:
    virtual ~Replica() = default;
    virtual void reset() = 0;
    virtual void sweep(int index) = 0;
    virtual void sample(int index) = 0;
    virtual void wait() = 0;
    virtual std::vector<int> series() const = 0;
};

struct ReplicaSpec {
    int id;
    double beta;
    int sweeps;
    int relax_us;
};

std::unique_ptr<Replica> make_replica(const ReplicaSpec& spec);
std::vector<int> simulate_on_host(const ReplicaSpec& spec);

}  // namespace ising
