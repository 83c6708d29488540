#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

inline void ensure(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kFeatures = 256;
constexpr int kMaxBatch = 64;

// One generation of the ranking model.
class Weights {
public:
    Weights(int generation, cudaStream_t loader);
    ~Weights() { ensure(cudaFree(dev_)); }
    Weights(const Weights&) = delete;
    const int* data() const { return dev_; }
    int generation() const { return generation_; }
    static int value(int generation, int i) { return (i * 7 + generation * 13) % 31 - 15; }

private:
    int generation_;
    int* dev_ = nullptr;
};

struct DeviceDelete {
    void operator()(int* p) const { ensure(cudaFree(p)); }
};
struct ExecDelete {
    void operator()(cudaGraphExec_t e) const { ensure(cudaGraphExecDestroy(e)); }
};
using DevicePtr = std::unique_ptr<int, DeviceDelete>;
using ExecPtr = std::unique_ptr<CUgraphExec_st, ExecDelete>;

// Serves requests of one worker; graphs are made on demand for each batch size and model generation.
class Session {
public:
    Session();
    ~Session();
    int* features() { return in_; }
    const int* scores() const { return out_; }
    void rank(int batch, const Weights& w);
    size_t graphs() const { return plans_.size(); }

private:
    struct Plan {
        DevicePtr hidden;
        ExecPtr exec;
    };
    Plan build(int batch, const Weights& w);

    cudaStream_t stream_ = nullptr;
    int *in_ = nullptr, *out_ = nullptr;
    DevicePtr devIn_, devOut_;
    std::map<std::pair<int, int>, Plan> plans_;
};
