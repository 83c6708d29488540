// Background checkpoints: spins are packed two to a word at a modest rate, so
// that the sweeps keep most of the memory bandwidth, and brought to the host.
#pragma once
#include "lattice.h"

namespace ckpt {

struct Record {
    unsigned step;
    std::uint32_t* words;   // page-locked
    size_t count;
};

class Writer {
public:
    Writer(size_t sites, int capacity);
    ~Writer();
    void save(const lat::Lattice& l, unsigned step);
    void close() { lane_.drain(); }
    const std::vector<Record>& records() const { return records_; }

private:
    size_t words_;
    std::uint32_t* packed_ = nullptr;
    rt::Lane lane_;
    rt::Mark ready_;
    std::vector<Record> records_;
    size_t used_ = 0;
};

}  // namespace ckpt
