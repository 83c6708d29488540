#pragma once
#include <cstdint>
#include <vector>
#include "device.h"

namespace dock {

constexpr int kPoses = 1 << 18;

struct Ligand {
    std::uint32_t id;
    std::uint32_t atoms;
    std::uint32_t charge;
    std::uint32_t pad;
};

inline
#ifdef __CUDACC__
__host__ __device__
#endif
std::uint32_t energy(const Ligand& l, std::uint32_t pose)
{
    std::uint32_t h = pose * 2246822519u + l.id * 3266489917u;
    h ^= h >> 15;
    return h % (l.atoms + 1u) + l.charge * (pose & 7u);
}

// Queue of one scoring unit: constants up, kernel, energies down.
class Lane {
public:
    Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    ~Lane();

    void score(const Ligand& ligand, std::vector<std::uint32_t>& energies);
    void wait();

private:
    CUstream stream_ = nullptr;
    CUdeviceptr ligand_ = 0;
    CUdeviceptr energies_ = 0;
    Ligand* staged_ = nullptr;
    int slot_ = 0;
};

}  // namespace dock
