#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <memory>

namespace imaging {

// Smooths 8 bit frames and stretches their contrast by histogram equalisation.
//
// enqueue() puts the whole treatment of one frame into `stream` and returns at
// once.  It may be called while `stream` is capturing; the graph then treats
// at each launch the frame found in `in` at that time.  An object serves one
// stream, or graph launches in one stream, at a time.
class Equalizer {
public:
    Equalizer(int width, int height);
    ~Equalizer();
    Equalizer(Equalizer&&) noexcept;
    Equalizer& operator=(Equalizer&&) noexcept;

    cudaError_t enqueue(const std::uint8_t* in, std::uint8_t* out, cudaStream_t stream);
    cudaError_t status() const;  // of the construction

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace imaging
