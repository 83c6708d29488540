// Steady-state benchmark of a front end.
#pragma once

#include "radar.h"

#include <functional>
#include <string>

namespace radar {

struct Report {
    std::string name;
    int frames = 0;
    double msPerFrame = 0.0;
    cudaError_t status = cudaSuccess;
};

class Bench {
public:
    explicit Bench(FrontEnd& target) : target_(target)
    {
        status_ = cudaEventCreate(&begin_);
        if (status_ == cudaSuccess) status_ = cudaEventCreate(&end_);
    }
    ~Bench()
    {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    Report measure(std::string name, int frames, const std::function<cudaError_t(FrontEnd&)>& body)
    {
        Report report;
        report.name = std::move(name);
        report.frames = frames;
        keep(body(target_));
        keep(cudaDeviceSynchronize());

        keep(cudaEventRecord(begin_, target_.stream()));
        for (int f = 0; f < frames; ++f) keep(body(target_));
        keep(cudaEventRecord(end_, target_.stream()));
        keep(cudaEventSynchronize(end_));

        float ms = 0.0f;
        keep(cudaEventElapsedTime(&ms, begin_, end_));
        report.msPerFrame = ms / frames;
        report.status = status_;
        return report;
    }

private:
    void keep(cudaError_t rc)
    {
        if (status_ == cudaSuccess) status_ = rc;
    }

    FrontEnd& target_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
    cudaError_t status_ = cudaSuccess;
};

} // namespace radar
