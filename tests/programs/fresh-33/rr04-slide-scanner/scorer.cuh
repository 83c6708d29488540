#pragma once

#include "tiles.hpp"

#include <deque>
#include <vector>

namespace slide {

// Uploads tiles and leaves one checksum per number on the device.
class Scorer {
public:
    Scorer(int tiles, std::size_t words);
    ~Scorer();
    void submit(TileRef tile);
    void drain(std::uint32_t* sums);

private:
    int tiles_;
    std::size_t words_;
    struct Pending {
        TileRef tile;
        cudaEvent_t taken;
    };
    void retire(std::size_t keep);

    cudaStream_t stream_ = nullptr;
    std::deque<Pending> pending_;
    std::vector<cudaEvent_t> spare_;
    std::uint32_t* image_ = nullptr;
    std::uint32_t* sums_ = nullptr;
};

}  // namespace slide
