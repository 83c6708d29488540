#include "probes.h"
#include <algorithm>
#include <numeric>
#include <cub/device/device_reduce.cuh>

namespace survey {
namespace {

struct Widen {
    __host__ __device__ long long operator()(int value) const { return value; }
};

struct Add {
    __host__ __device__ long long operator()(long long a, long long b) const { return a + b; }
};

struct Larger {
    __host__ __device__ long long operator()(long long a, long long b) const { return a < b ? b : a; }
};

class Workspace {
public:
    void reserve(std::size_t bytes) {
        bytes_ = bytes;
        memory_ = device_alloc<unsigned char>(bytes);
    }
    void* data() { return memory_.get(); }
    std::size_t& bytes() { return bytes_; }

private:
    std::size_t bytes_ = 0;
    device_ptr<unsigned char> memory_;
};

class Content : public Probe {
public:
    explicit Content(const Geometry& geometry) : result_(device_alloc<long long>(1)) {
        std::size_t bytes = 0;
        ok(cub::DeviceReduce::TransformReduce(nullptr, bytes, static_cast<const int*>(nullptr), result_.get(),
                                              geometry.cells(), Add{}, Widen{}, 0ll));
        workspace_.reserve(bytes);
    }
    const char* name() const override { return "content"; }

    void sample(const Reservoir& reservoir, long long* sink) override {
        ok(cub::DeviceReduce::TransformReduce(workspace_.data(), workspace_.bytes(), reservoir.pressure(),
                                              result_.get(), reservoir.geometry().cells(), Add{}, Widen{}, 0ll,
                                              reservoir.stream()));
        ok(cudaMemcpyAsync(sink, result_.get(), sizeof(long long), cudaMemcpyDeviceToHost, reservoir.stream()));
    }

    long long expected(const std::vector<int>& cells) const override {
        return std::accumulate(cells.begin(), cells.end(), 0ll);
    }

private:
    device_ptr<long long> result_;
    Workspace workspace_;
};

class Peak : public Probe {
public:
    explicit Peak(const Geometry& geometry) : result_(device_alloc<long long>(1)) {
        std::size_t bytes = 0;
        ok(cub::DeviceReduce::TransformReduce(nullptr, bytes, static_cast<const int*>(nullptr), result_.get(),
                                              geometry.cells(), Larger{}, Widen{}, 0ll));
        workspace_.reserve(bytes);
    }
    const char* name() const override { return "peak"; }

    void sample(const Reservoir& reservoir, long long* sink) override {
        ok(cub::DeviceReduce::TransformReduce(workspace_.data(), workspace_.bytes(), reservoir.pressure(),
                                              result_.get(), reservoir.geometry().cells(), Larger{}, Widen{}, 0ll,
                                              reservoir.stream()));
        ok(cudaMemcpyAsync(sink, result_.get(), sizeof(long long), cudaMemcpyDeviceToHost, reservoir.stream()));
    }

    long long expected(const std::vector<int>& cells) const override {
        return *std::max_element(cells.begin(), cells.end());
    }

private:
    device_ptr<long long> result_;
    Workspace workspace_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const std::string& kind, const Geometry& geometry) {
    if (kind == "content") return std::make_unique<Content>(geometry);
    if (kind == "peak") return std::make_unique<Peak>(geometry);
    throw std::invalid_argument("unknown probe " + kind);
}

}  // namespace survey
