#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <memory>
#include <vector>
#include "ledger.h"

namespace clip {

constexpr int kPixels = 320 * 180;

inline std::uint8_t source(std::uint32_t clip, int frame, int i)
{
    return std::uint8_t(clip * 37u + unsigned(frame) * 5u + unsigned(i));
}

// A frame of a clip, with its page-locked picture.
struct Frame {
    Frame(Ledger& l, std::uint32_t c, int n);
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame();

    Ledger& ledger;
    std::uint32_t clip;
    int number;
    std::uint8_t* picture = nullptr;
};

class Transcoder {
public:
    explicit Transcoder(Ledger& ledger);
    Transcoder(const Transcoder&) = delete;
    Transcoder& operator=(const Transcoder&) = delete;
    ~Transcoder();

    void open(std::uint32_t clip, int frames);
    std::vector<std::unique_ptr<Frame>> flush(std::uint32_t clip);

private:
    void enqueue(Frame& f);

    Ledger& ledger_;
    cudaStream_t stream_ = nullptr;
    std::uint8_t* picture_ = nullptr;
    std::vector<std::unique_ptr<Frame>> pending_;
};

}  // namespace clip
