#include "docking.h"

namespace screen {
namespace {

constexpr unsigned kTierMicros[kTiers] = {5000, 12000, 30000};

__device__ unsigned long long globalNs() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void dockPose(const int* potential, int pockets, Ligand ligand, unsigned micros, JobRecord* record) {
  __shared__ int best;
  const unsigned long long begin = globalNs();
  if (threadIdx.x == 0) best = -0x7fffffff;
  __syncthreads();
  for (int p = threadIdx.x; p < pockets; p += blockDim.x)
    atomicMax(&best, potential[p] * ligand.atoms - (p ^ ligand.id));
  while (globalNs() < begin + micros * 1000ull) {
  }
  __syncthreads();
  if (threadIdx.x == 0) *record = {begin, globalNs(), best};
}

}  // namespace

DockingEngine::DockingEngine(const Receptor& receptor, int capacity)
    : capacity_(capacity), pockets_(receptor.pockets) {
  SCREEN_CUDA(cudaMalloc(&potential_, pockets_ * sizeof(int)));
  SCREEN_CUDA(cudaMalloc(&records_, capacity_ * sizeof(JobRecord)));
  SCREEN_CUDA(cudaMemcpy(potential_, receptor.potential.data(), pockets_ * sizeof(int), cudaMemcpyHostToDevice));
  SCREEN_CUDA(cudaDeviceSynchronize());
}

DockingEngine::~DockingEngine() {
  cudaFree(potential_);
  cudaFree(records_);
}

void DockingEngine::dock(const Ligand& ligand, cudaStream_t stream) {
  dockPose<<<1, 64, 0, stream>>>(potential_, pockets_, ligand, kTierMicros[static_cast<int>(ligand.tier)],
                                 records_ + ligand.id);
  SCREEN_CUDA(cudaGetLastError());
}

std::vector<JobRecord> DockingEngine::records() const {
  std::vector<JobRecord> out(capacity_);
  SCREEN_CUDA(cudaMemcpy(out.data(), records_, capacity_ * sizeof(JobRecord), cudaMemcpyDeviceToHost));
  return out;
}

int DockingEngine::referenceScore(const Receptor& receptor, const Ligand& ligand) {
  int best = -0x7fffffff;
  for (int p = 0; p < receptor.pockets; ++p) {
    const int e = receptor.potential[p] * ligand.atoms - (p ^ ligand.id);
    best = e > best ? e : best;
  }
  return best;
}

}  // namespace screen
