#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

struct SimError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

#define SIM(call)                                                     \
  do {                                                                \
    const cudaError_t sim_e_ = (call);                                \
    if (sim_e_ != cudaSuccess) throw SimError(cudaGetErrorName(sim_e_)); \
  } while (0)

// Heights and the two fluxes of a periodic lattice, in fixed point modulo 2^32.
struct Lattice {
  unsigned* h = nullptr;
  unsigned* u = nullptr;
  unsigned* v = nullptr;
  int width = 0;
  int height = 0;
  __host__ __device__ int cells() const { return width * height; }
};

constexpr int kBlocks = 32;
constexpr int kThreads = 256;

__global__ void flow_x(Lattice l, unsigned k, long long ns);
__global__ void flow_y(Lattice l, unsigned k, long long ns);
__global__ void level(Lattice l);
__global__ void total_mass(const unsigned* h, int n, unsigned* out);
