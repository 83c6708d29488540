#pragma once
#include <memory_resource>
#include <vector>

#include "pinned_resource.h"

// One coil at a time is on its way through a lane.
struct Lane {
    Lane(std::pmr::memory_resource* mr, std::size_t n) : kspace(n, mr), image(n, mr) {}

    std::pmr::vector<float> kspace;
    std::pmr::vector<float> image;
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
    float* dev = nullptr;
    int coil = -1;
};

class Reconstruction {
public:
    Reconstruction(std::pmr::memory_resource* mr, int lanes, std::size_t voxels);
    ~Reconstruction();

    // Reconstructs the coils first .. first + count and adds them up.
    std::vector<double> run(int first, int count);

private:
    void start(Lane& l, int coil);
    void collect(Lane& l, std::vector<double>& sum);

    std::size_t voxels_;
    std::vector<Lane> lanes_;
};

float coilSample(int coil, std::size_t i);
