#pragma once
#include <cstdint>
#include <vector>

#include "resource.h"

namespace seedlib {

struct Chunk {
    std::uint32_t origin;
    std::uint32_t bases;
};

std::uint32_t minimiser(std::uint32_t position);
std::uint32_t chain_score(std::uint32_t a, std::uint32_t b);

// Seeds a chunk of the genome and scores the chains between neighbouring seeds.
class Chainer {
public:
    explicit Chainer(DeviceResource& mr) : mr_(mr) {}
    void score(const Chunk& chunk, std::uint32_t* scores, cudaStream_t stream);
    void warm(std::uint32_t bases, std::uint32_t* scores, cudaStream_t stream);

private:
    DeviceResource& mr_;
};

}  // namespace seedlib
