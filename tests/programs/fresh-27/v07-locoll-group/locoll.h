// locoll: collectives between the virtual ranks of one device. Every rank has its own buffers and
// its own stream; operations are collected in a group and start together.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "scratch.h"

namespace locoll {

class Failure : public std::runtime_error {
public:
    explicit Failure(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

#define LOCOLL_CALL(expr)                                        \
    do {                                                         \
        const cudaError_t code_ = (expr);                        \
        if (code_ != cudaSuccess) throw ::locoll::Failure(code_); \
    } while (0)

constexpr int kMaxRanks = 8;
constexpr int kSlot = 4096;  // elements that a rank shows to its peers at a time

/// What the kernels of a clique share.
struct Board {
    int ranks;
    int* mailbox;               // [ranks][kSlot]
    unsigned long long* ticks;  // [ranks]
};

struct AllReduceArgs {
    Board board;
    int rank;
    unsigned long long tick;  // ticks of the clique before this operation
    const int* in;
    int* out;
    long long* acc;
    int count;
};

class Clique {
public:
    explicit Clique(int ranks);
    ~Clique();
    Clique(const Clique&) = delete;
    Clique& operator=(const Clique&) = delete;

    int ranks() const { return board_.ranks; }

private:
    friend class Group;
    Board board_{};
    std::vector<std::unique_ptr<Scratch>> scratch_;
    unsigned long long tick_ = 0;
};

/// Operations of all ranks of a clique, one per rank.
class Group {
public:
    explicit Group(Clique& clique) : clique_(clique) {}

    /// Sums `in` over all ranks, saturated to int, into `out`; ordered in `stream`.
    void allReduce(int rank, const int* in, int* out, int count, cudaStream_t stream);

    /// Starts the collected operations. Does not wait for them.
    void commit();

private:
    struct Op {
        int rank;
        const int* in;
        int* out;
        int count;
        cudaStream_t stream;
    };

    Clique& clique_;
    std::vector<Op> ops_;
};

void prepareKernels();
void launchAllReduce(const AllReduceArgs& args, cudaStream_t stream);
unsigned long long ticksOf(int count);

}  // namespace locoll
