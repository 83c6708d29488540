#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace serve {

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// Lives in device memory; the decoder watches seq.
struct Mailbox {
    unsigned seq;
    unsigned count;
    unsigned stop;
};

class Op {
public:
    virtual ~Op() = default;
    virtual void enqueue(float* x, int n, cudaStream_t s) const = 0;
};

class OpRegistry {
public:
    const Op& get(const std::string& name) const { return *ops_.at(name); }
    void load(const std::vector<std::string>& names, float* x, Mailbox* box, cudaStream_t s);

private:
    std::map<std::string, std::unique_ptr<Op>> ops_;
};

void publish(Mailbox* box, unsigned seq, unsigned count, unsigned stop, cudaStream_t s);

struct EngineConfig {
    int maxTokens = 4096;
    int maxRequests = 16;
    std::vector<std::string> preprocessing;
};

class Engine {
public:
    explicit Engine(EngineConfig cfg);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void start();
    float infer(const std::vector<float>& prompt);

private:
    EngineConfig cfg_;
    OpRegistry registry_;
    cudaStream_t ingest_{};
    cudaStream_t decode_{};
    Mailbox* box_{};
    float* tokens_{};
    float* staging_{};
    float* scores_{};
    float* scoresDev_{};
    unsigned* completed_{};
    unsigned* completedDev_{};
    unsigned seq_ = 0;
    bool running_ = false;
};

}  // namespace serve
