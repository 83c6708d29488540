#pragma once
#include <map>
#include <string>
#include <vector>

#include "common.h"
#include "executor.h"

namespace speech {

struct IModelSource {
    virtual ~IModelSource() = default;
    virtual std::vector<float> read(const std::string& name) = 0;
};

// Models are read from the source and brought to the device by the loader thread on first use.
class ModelCache {
public:
    ModelCache(IModelSource& source, Executor& loader)
        : source_(source), loader_(loader), stream_(make_stream()) {}

    const float* require(const std::string& name) {
        auto it = resident_.find(name);
        if (it == resident_.end()) {
            DeviceFloats weights = loader_.post([&] { return load(name); }).get();
            it = resident_.emplace(name, std::move(weights)).first;
        }
        return it->second.get();
    }

private:
    DeviceFloats load(const std::string& name) {
        const std::vector<float> host = source_.read(name);
        DeviceFloats dev = device_floats(host.size());
        operator_check(cudaMemcpyAsync(dev.get(), host.data(), host.size() * sizeof(float),
                                       cudaMemcpyHostToDevice, stream_.get()));
        operator_check(cudaStreamSynchronize(stream_.get()));
        return dev;
    }

    IModelSource& source_;
    Executor& loader_;
    Stream stream_;
    std::map<std::string, DeviceFloats> resident_;
};

}  // namespace speech
