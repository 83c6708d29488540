#pragma once
#include <cstdint>
#include "cuda_raii.h"

namespace rnd {

struct Control {
    unsigned long long head;  // blocks written by the device
    char pad0[56];
    unsigned long long tail;  // blocks taken by the host
    char pad1[56];
    unsigned stop;
};

// The generator runs for as long as one of these is alive.
class RunToken {
public:
    explicit RunToken(Control* c) : c_(c) { store(0); }
    ~RunToken() { store(1); }
    RunToken(const RunToken&) = delete;
    RunToken& operator=(const RunToken&) = delete;

private:
    void store(unsigned v) { *const_cast<volatile unsigned*>(&c_->stop) = v; }
    Control* c_;
};

std::uint32_t reference_value(std::uint64_t seed, std::uint64_t index);

// A generator that lives on the device and keeps `depth` blocks of random
// words ready in host memory.  The object may be created and destroyed at any
// time, with blocks left over or not.
class RandomService {
public:
    RandomService(std::uint64_t seed, unsigned block_words, unsigned depth);

    // Copies the next block to `out`; waits for the device if none is ready.
    void next_block(std::uint32_t* out);
    unsigned block_words() const { return block_words_; }

private:
    unsigned block_words_;
    unsigned depth_;
    unsigned long long taken_ = 0;
    Mapped<Control> control_;
    Mapped<std::uint32_t> ring_;
    RunToken running_;
    OwnedStream stream_;
};

}  // namespace rnd
