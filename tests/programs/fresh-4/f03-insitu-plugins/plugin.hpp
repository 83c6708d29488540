#pragma once
// In-situ analysis: plugins look at the live simulation field while the
// sampler keeps a low-frequency trace of it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace insitu {

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

struct FieldView {
    const float* data = nullptr;
    int n = 0;
};

struct Report {
    std::string plugin;
    std::vector<unsigned> counts;
};

class Plugin {
public:
    virtual ~Plugin() = default;
    virtual const char* name() const = 0;
    virtual Report execute(const FieldView& field) = 0;
};

class Registry {
public:
    using Factory = std::function<std::unique_ptr<Plugin>()>;
    static Registry& instance() {
        static Registry r;
        return r;
    }
    bool add(const std::string& key, Factory f) {
        factories_[key] = std::move(f);
        return true;
    }
    std::unique_ptr<Plugin> make(const std::string& key) const {
        auto it = factories_.find(key);
        return it == factories_.end() ? nullptr : it->second();
    }

private:
    std::map<std::string, Factory> factories_;
};

// Samples one probe point of the field until it is told to finish.
class Sampler {
public:
    explicit Sampler(int capacity);
    ~Sampler();
    void start(const FieldView& field, int probe);
    int finish();

private:
    cudaStream_t stream_ = nullptr;
    unsigned* control_ = nullptr;      // mapped: [0] finish request, [1] samples taken
    unsigned* control_dev_ = nullptr;
    float* trace_ = nullptr;
    int capacity_;
};

}  // namespace insitu
