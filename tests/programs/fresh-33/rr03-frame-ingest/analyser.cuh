#pragma once

#include "slots.hpp"

namespace ingest {

// Uploads frames and leaves one checksum per frame on the device.
class Analyser {
public:
    Analyser(int frames, std::size_t words);
    ~Analyser();
    void submit(SlotRef slot);
    void drain(std::uint32_t* sums);

private:
    int frames_;
    std::size_t words_;
    cudaStream_t stream_ = nullptr;
    std::uint32_t* image_ = nullptr;
    std::uint32_t* sums_ = nullptr;
};

}  // namespace ingest
