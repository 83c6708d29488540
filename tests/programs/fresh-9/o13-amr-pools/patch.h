#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace amr {

inline void must(cudaError_t e, const char* = "") {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

// Stream-ordered memory of one refinement level.
class Arena {
public:
    explicit Arena(cudaStream_t s);
    ~Arena();
    Arena(const Arena&) = delete;
    double* take(size_t n);
    void give(double* p);

private:
    cudaStream_t stream_;
    cudaMemPool_t pool_ = nullptr;
};

// A scratch patch that lives for one substep.
class Patch {
public:
    Patch(Arena& a, size_t n) : arena_(&a), data_(a.take(n)) {}
    ~Patch() { arena_->give(data_); }
    Patch(const Patch&) = delete;
    double* data() const { return data_; }

private:
    Arena* arena_;
    double* data_;
};

// The levels of the hierarchy advance independently between two regrids.
class Level {
public:
    Level(int depth, size_t cells);
    virtual ~Level();
    Level(const Level&) = delete;
    void substep(int step);
    void fetch();
    double total() const { return *sum_; }
    virtual double source(int step) const = 0;

protected:
    int depth_;

private:
    size_t cells_;
    cudaStream_t stream_ = nullptr;
    std::unique_ptr<Arena> arena_;
    double* field_ = nullptr;
    double* deviceSum_ = nullptr;
    double* sum_ = nullptr;
};

}  // namespace amr
