#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>

#define GR_CUDA(call)                                                 \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace grade {
struct FrameView {
    unsigned char* pixels;
    int count;
};

struct Host {
    cudaStream_t stream;    // stream of the station for uploads of tables and the like
    int maxPixels;
};

class GradePlugin {
public:
    virtual ~GradePlugin() = default;
    virtual void attach(const Host& host) = 0;
    virtual void setAmount(int) {}
    virtual void enqueue(const FrameView& frame, cudaStream_t stream) = 0;
};

class PluginRegistry {
public:
    using Factory = std::function<std::unique_ptr<GradePlugin>()>;
    static PluginRegistry& instance() {
        static PluginRegistry r;
        return r;
    }
    bool add(const std::string& name, Factory f) { return factories_.emplace(name, f).second; }
    std::unique_ptr<GradePlugin> make(const std::string& name) const {
        return factories_.at(name)();
    }
private:
    std::map<std::string, Factory> factories_;
};
}  // namespace grade
