#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace feed {

struct tick_batch {
    float* price = nullptr;
    float* out = nullptr;
    int count = 0;
};

class stage {
public:
    virtual ~stage() = default;
    virtual const char* name() const = 0;
    virtual cudaError_t enqueue(const tick_batch& batch, cudaStream_t stream) = 0;
};

class stage_registry {
public:
    using factory = std::function<std::unique_ptr<stage>()>;

    static stage_registry& instance()
    {
        static stage_registry r;
        return r;
    }

    bool add(const std::string& key, factory f)
    {
        factories_[key] = std::move(f);
        return true;
    }

    std::unique_ptr<stage> create(const std::string& key) const { return factories_.at(key)(); }

private:
    std::map<std::string, factory> factories_;
};

#define FEED_REGISTER_STAGE(key, type)                                    \
    static const bool registered_##type = feed::stage_registry::instance().add( \
        key, [] { return std::unique_ptr<feed::stage>(new type); })

inline void require(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace feed
