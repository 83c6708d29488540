#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "shelf.h"

namespace mixer {

constexpr int kFrames = 4096;      // samples per block of output
constexpr int kPatchLength = 60000;  // samples of one instrument
constexpr int kMaxNotes = 96;

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

struct Note {
    int start;
    int stride;
    int velocity;
    int offset;
};

// Knobs of the desk for one block.
struct DeskSettings {
    int master;
    int pan[8];
    int echo_taps[16];
};

__host__ __device__ inline int16_t patch_sample(int instrument, int i) {
    uint32_t x = static_cast<uint32_t>(instrument * 40503 + i) * 2654435761u;
    x ^= x >> 14;
    return static_cast<int16_t>(x & 0x3fff);
}

__host__ __device__ inline int voice(int16_t sample, const Note& n, int frame) {
    return frame < n.start ? 0 : (static_cast<int>(sample) * n.velocity) >> 6;
}

__host__ __device__ inline int patch_index(const Note& n, int frame) {
    return static_cast<int>((static_cast<unsigned>(n.offset) + static_cast<unsigned>(frame) * static_cast<unsigned>(n.stride)) %
                            kPatchLength);
}

__host__ __device__ inline int wet(int dry, const DeskSettings& d, int frame) {
    return dry * d.master + d.pan[frame & 7] + d.echo_taps[frame & 15];
}

// The samples of one instrument, on the device.
class Patch {
public:
    Patch(int instrument, cudaStream_t stream);
    ~Patch();
    Patch(const Patch&) = delete;
    Patch& operator=(const Patch&) = delete;
    const int16_t* samples() const { return samples_; }

private:
    int16_t* samples_ = nullptr;
};

class Desk {
public:
    Desk(int blocks, size_t sheets);
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    void insert(int instrument);
    // Mixes one block; false when no sheet is free at the moment.
    bool play(int block, const std::vector<Note>& notes, int mood);
    std::vector<int> tape();

private:
    int blocks_;
    cudaStream_t stream_ = nullptr;
    SheetShelf shelf_;
    std::unique_ptr<Patch> patch_;
    int* tape_ = nullptr;
};

DeskSettings settings_for(int mood);

}  // namespace mixer
