#include "lane.h"

#include <cuda_runtime.h>

namespace dock {

namespace {

constexpr int kStaged = 64;
constexpr unsigned long long kNanoseconds = 15000000ull;

__device__ unsigned long long clockNs()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Relaxation of the pose takes most of the time.
__global__ void scorePoses(const Ligand* ligand, std::uint32_t* energies)
{
    const unsigned long long begin = clockNs();
    while (clockNs() - begin < kNanoseconds) {
    }
    const Ligand l = *ligand;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < kPoses; p += gridDim.x * blockDim.x)
        energies[p] = energy(l, std::uint32_t(p));
}

}  // namespace

Lane::Lane()
{
    CU(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    CU(cuMemAlloc(&ligand_, sizeof(Ligand)));
    CU(cuMemAlloc(&energies_, kPoses * sizeof(std::uint32_t)));
    void* p = nullptr;
    CU(cuMemAllocHost(&p, kStaged * sizeof(Ligand)));
    staged_ = static_cast<Ligand*>(p);
}

Lane::~Lane()
{
    cuMemFreeHost(staged_);
    cuMemFree(energies_);
    cuMemFree(ligand_);
    cuStreamDestroy(stream_);
}

void Lane::score(const Ligand& ligand, std::vector<std::uint32_t>& energies)
{
    Ligand* staged = staged_ + slot_++ % kStaged;
    *staged = ligand;
    energies.resize(kPoses);

    CU(cuMemcpyHtoDAsync(ligand_, staged, sizeof(Ligand), stream_));
    scorePoses<<<8, 256, 0, stream_>>>(reinterpret_cast<const Ligand*>(ligand_),
                                       reinterpret_cast<std::uint32_t*>(energies_));
    if (cudaError_t e = cudaGetLastError(); e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
    CU(cuMemcpyDtoHAsync(energies.data(), energies_, kPoses * sizeof(std::uint32_t), stream_));
}

void Lane::wait() { CU(cuStreamSynchronize(stream_)); }

}  // namespace dock
