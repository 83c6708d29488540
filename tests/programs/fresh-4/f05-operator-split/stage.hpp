#pragma once
// Operator-split time integration: each physics operator is a Stage with its
// own stream; the graph of operators is expressed with after().
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace split {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

template <class T>
struct DeviceDelete {
    void operator()(T* p) const noexcept { cudaFree(p); }
};
template <class T>
using DeviceArray = std::unique_ptr<T[], DeviceDelete<T>>;

template <class T>
DeviceArray<T> make_device(std::size_t n) {
    T* p = nullptr;
    ok(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
    return DeviceArray<T>(p);
}

class Stage {
public:
    explicit Stage(std::string name) : name_(std::move(name)) {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ok(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    }
    virtual ~Stage() {
        cudaEventDestroy(done_);
        cudaStreamDestroy(stream_);
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    Stage& after(const Stage& other) {
        deps_.push_back(other.done_);
        return *this;
    }

    void submit(int step) {
        for (cudaEvent_t dep : deps_) ok(cudaStreamWaitEvent(stream_, dep, 0));
        ok(cudaEventRecord(done_, stream_));
        launch(step, stream_);
        ok(cudaGetLastError());
        ++submitted_;
    }

    void drain() const { ok(cudaStreamSynchronize(stream_)); }
    const std::string& name() const { return name_; }
    int submitted() const { return submitted_; }

protected:
    virtual void launch(int step, cudaStream_t s) = 0;

private:
    std::string name_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t done_ = nullptr;
    std::vector<cudaEvent_t> deps_;
    int submitted_ = 0;
};

std::unique_ptr<Stage> make_advection(const double* u, double* v, int n);
std::unique_ptr<Stage> make_reaction(const double* v, double* u, int n, double rate);

}  // namespace split
