#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

// Switches the calling thread's capture interaction mode for a scope.
class CaptureModeScope {
public:
    explicit CaptureModeScope(cudaStreamCaptureMode mode) : mode_(mode) { ok(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~CaptureModeScope() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    CaptureModeScope(const CaptureModeScope&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Named device workspaces, created on first request.
class Arena {
public:
    static Arena& instance() {
        static Arena a;
        return a;
    }
    template <class T>
    T* get(const std::string& key, size_t count) {
        auto it = blocks_.find(key);
        if (it == blocks_.end()) {
            CaptureModeScope relaxed(cudaStreamCaptureModeRelaxed);
            void* p = nullptr;
            ok(cudaMalloc(&p, count * sizeof(T)));
            it = blocks_.emplace(key, p).first;
        }
        return static_cast<T*>(it->second);
    }
    void clear() {
        for (auto& kv : blocks_) ok(cudaFree(kv.second));
        blocks_.clear();
    }

private:
    Arena() = default;
    std::map<std::string, void*> blocks_;
};
