#pragma once
// Dispatch-cost micro-benchmarks on the driver API. Three quantities are
// reported: what one cuLaunchKernel costs the calling thread, the time to the
// first result of a function that has not run yet, and the steady-state time
// per kernel on the device.
#include <cuda.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dispatch {

inline void drv(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = nullptr;
    if (cuGetErrorName(r, &name) != CUDA_SUCCESS || !name) name = "CUDA_ERROR_UNKNOWN";
    std::printf("ERROR %s\n", name);
    std::exit(1);
}

class Context {
public:
    Context() {
        drv(cuInit(0));
        drv(cuDeviceGet(&dev_, 0));
        drv(cuDevicePrimaryCtxRetain(&ctx_, dev_));
        drv(cuCtxSetCurrent(ctx_));
    }
    ~Context() { cuDevicePrimaryCtxRelease(dev_); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    CUdevice dev_ = 0;
    CUcontext ctx_ = nullptr;
};

class Queue {
public:
    Queue() { drv(cuStreamCreate(&s_, CU_STREAM_NON_BLOCKING)); }
    ~Queue() { cuStreamDestroy(s_); }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    CUstream get() const { return s_; }
    void wait() const { drv(cuStreamSynchronize(s_)); }

private:
    CUstream s_ = nullptr;
};

class Marker {
public:
    Marker() { drv(cuEventCreate(&e_, CU_EVENT_DEFAULT)); }
    ~Marker() { cuEventDestroy(e_); }
    Marker(const Marker&) = delete;
    Marker& operator=(const Marker&) = delete;
    void record(const Queue& q) const { drv(cuEventRecord(e_, q.get())); }
    void wait() const { drv(cuEventSynchronize(e_)); }
    double micros_since(const Marker& first) const {
        float ms = 0.0f;
        drv(cuEventElapsedTime(&ms, first.e_, e_));
        return 1e3 * ms;
    }

private:
    CUevent e_ = nullptr;
};

struct Result {
    std::string name;
    double micros = 0.0;
};

struct Case {
    std::string name;
    std::function<double()> body;
};

class Suite {
public:
    Suite& add(std::string name, std::function<double()> body) {
        cases_.push_back({std::move(name), std::move(body)});
        return *this;
    }
    std::vector<Result> run() const {
        std::vector<Result> out;
        for (const auto& c : cases_) out.push_back({c.name, c.body()});
        return out;
    }

private:
    std::vector<Case> cases_;
};

inline double micros(std::chrono::steady_clock::duration d) {
    return std::chrono::duration<double, std::micro>(d).count();
}

// The kernel under test: occupies one block for `us` microseconds and adds
// one to *counter.
CUfunction probe_function();
// A second function, used once.
CUfunction tally_function();

}  // namespace dispatch
