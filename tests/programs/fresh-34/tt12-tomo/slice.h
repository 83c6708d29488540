// slice.h - back projection of one slice
#pragma once

#include "tasks.h"

#include <cuda_runtime.h>

#include <stdexcept>

namespace tomo {

constexpr int kPixels = 1 << 16;

struct Error : std::runtime_error {
    explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void ok(cudaError_t e) { if (e != cudaSuccess) throw Error(e); }

// what a slice needs on both sides
class Bench {
public:
    explicit Bench(int id);
    ~Bench();
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;

    void submit();
    bool ready() const;
    long mismatches() const;

private:
    int          id_;
    cudaStream_t stream_{};
    cudaEvent_t  there_{};
    float       *sino_{}, *image_{};
    float       *d_sino_{}, *d_image_{};
};

// sets up a bench on one of the scheduler's threads
class Setup : public tasks::Task {
public:
    Setup(int id, std::unique_ptr<Bench> &into, tasks::Latch &l) : id_(id), into_(into), latch_(l) {}
    Next resume() override;
private:
    int id_;
    std::unique_ptr<Bench> &into_;
    tasks::Latch &latch_;
};

class Reconstruct : public tasks::Task {
public:
    explicit Reconstruct(Bench &b) : bench_(b) {}
    Next resume() override;
private:
    enum class At { Begin, Running } at_ = At::Begin;
    Bench &bench_;
};

} // namespace tomo
