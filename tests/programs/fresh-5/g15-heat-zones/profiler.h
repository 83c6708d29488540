// Zone profiler: named device-time zones with RAII scopes.
#pragma once
#include <cuda_runtime.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace prof {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct Stats {
    int hits = 0;
    double total_ms = 0.0;
    double mean_ms() const { return hits ? total_ms / hits : 0.0; }
};

class Profiler {
public:
    static Profiler& instance();

    // Zones opened afterwards measure this stream.
    void attach(cudaStream_t stream) { stream_ = stream; }
    void reset();

    // Resolves every closed zone and returns the table.
    const std::map<std::string, Stats>& collect();

    class Zone {
    public:
        explicit Zone(std::string name);
        ~Zone();
        Zone(const Zone&) = delete;
        Zone& operator=(const Zone&) = delete;

    private:
        std::string name_;
        cudaEvent_t begin_ = nullptr, end_ = nullptr;
    };

private:
    struct Closed {
        std::string name;
        cudaEvent_t begin, end;
    };

    Profiler() = default;
    ~Profiler() = default;

    cudaEvent_t event();
    void mark(cudaEvent_t e);

    cudaStream_t stream_ = nullptr;
    std::vector<cudaEvent_t> spare_;
    std::vector<Closed> closed_;
    std::map<std::string, Stats> stats_;
};

#define PROF_CAT_(a, b) a##b
#define PROF_CAT(a, b) PROF_CAT_(a, b)
#define PROF_ZONE(name) ::prof::Profiler::Zone PROF_CAT(prof_zone_, __LINE__)(name)

}  // namespace prof
