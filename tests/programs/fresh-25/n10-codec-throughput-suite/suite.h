#pragma once
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace suite {

inline void verifyCall(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

struct BenchConfig {
    std::string workload = "gop12";
    int warmupGops = 1;
    int measuredGops = 2;
};

// A coder that spreads the frames of a group of pictures over its streams.
class Workload {
public:
    virtual ~Workload() = default;
    virtual void enqueueGop(int gop) = 0;
    virtual const std::vector<cudaStream_t>& streams() const = 0;
    virtual int framesPerGop() const = 0;
    virtual long validate(int gops) const = 0;
};

using WorkloadFactory = std::function<std::unique_ptr<Workload>(const BenchConfig&)>;

class Registry {
public:
    static Registry& instance() {
        static Registry registry;
        return registry;
    }
    void add(const std::string& name, WorkloadFactory factory) {
        factories_[name] = std::move(factory);
    }
    std::unique_ptr<Workload> create(const BenchConfig& config) const {
        auto it = factories_.find(config.workload);
        if (it == factories_.end()) throw std::runtime_error("unknown workload");
        return it->second(config);
    }

private:
    std::map<std::string, WorkloadFactory> factories_;
};

void registerGopWorkloads(Registry& registry);

struct Throughput {
    int frames = 0;
    double milliseconds = 0;
    double fps() const { return frames / milliseconds * 1000.0; }
};

class Harness {
public:
    explicit Harness(const BenchConfig& config);
    ~Harness();
    Throughput measure(Workload& workload);

private:
    BenchConfig config_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace suite
