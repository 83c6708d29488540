// plugin.h - interface of the filters and their registry
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace scope {

inline void require(cudaError_t e)
{
    if (e != cudaSuccess)
        throw std::runtime_error(cudaGetErrorName(e));
}

class Filter {
public:
    virtual ~Filter() = default;
    // once, before the instrument starts
    virtual void open(int samples, cudaStream_t s) = 0;
    // one frame, in place
    virtual void apply(float *frame, int samples, cudaStream_t s) = 0;
    // the same on the host, for the self-test
    virtual void reference(std::vector<float> &frame) const = 0;
};

class Registry {
public:
    using Factory = std::function<std::unique_ptr<Filter>()>;

    static Registry &instance()
    {
        static Registry r;
        return r;
    }

    bool add(const std::string &name, Factory f)
    {
        return factories_.emplace(name, std::move(f)).second;
    }

    std::unique_ptr<Filter> make(const std::string &name) const
    {
        const auto it = factories_.find(name);
        if (it == factories_.end())
            throw std::runtime_error("no filter " + name);
        return it->second();
    }

private:
    std::map<std::string, Factory> factories_;
};

#define SCOPE_REGISTER(Type, name)                                             \
    static const bool registered_##Type = ::scope::Registry::instance().add(   \
        name, [] { return std::unique_ptr<::scope::Filter>(new Type); })

} // namespace scope
