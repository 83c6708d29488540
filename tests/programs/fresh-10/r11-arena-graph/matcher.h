#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "arena.h"

namespace stereo {

// Best disparity per pixel of a rectified pair, as a graph that is built once.
class Matcher {
public:
    Matcher(int width, int height, int disparities);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    const std::uint8_t* match(const std::vector<std::uint8_t>& left, const std::vector<std::uint8_t>& right);

private:
    void record();
    void costs(const std::uint8_t* from, const std::uint8_t* to, int direction, std::uint8_t** best,
               cudaStream_t stream);

    int width_;
    int height_;
    int disparities_;
    Arena arena_;
    cudaStream_t main_ = nullptr;
    cudaStream_t side_ = nullptr;
    cudaEvent_t fork_ = nullptr;
    cudaEvent_t join_ = nullptr;
    std::uint8_t* pair_ = nullptr;
    std::uint8_t* result_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace stereo
