#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include <cuda_runtime.h>

namespace telecine {

struct Plane {
    const uint16_t* pels;
    uint32_t* symbols;
    int count;
};

class Codec {
public:
    virtual ~Codec() = default;
    virtual cudaError_t encode(const Plane& plane, cudaStream_t stream) = 0;
    virtual uint32_t reference(uint16_t pel) const = 0;
    virtual const char* name() const = 0;
};

// Known kinds: "raw" (no entropy stage) and "golomb" (adaptive rice tables).
std::unique_ptr<Codec> make_codec(const std::string& kind);

}  // namespace telecine
