#pragma once
// A chart of named stages. Every stage owns a stream; stages that depend on others say so when the chart is
// drawn, and then the whole chart is run once per tide.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

namespace chart {

enum class Status { fine, failed };

class Stage {
public:
    using Body = std::function<void(cudaStream_t)>;

    Stage(std::string name, Body body) : name_(std::move(name)), body_(std::move(body)) {
        keep(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        keep(cudaEventCreateWithFlags(&finished_, cudaEventDisableTiming));
    }
    ~Stage() {
        cudaEventDestroy(finished_);
        cudaStreamDestroy(stream_);
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    Stage& after(const Stage& earlier) {
        keep(cudaStreamWaitEvent(stream_, earlier.finished_, 0));
        return *this;
    }

    void enqueue() {
        body_(stream_);
        keep(cudaGetLastError());
        keep(cudaEventRecord(finished_, stream_));
    }

    void drain() { keep(cudaStreamSynchronize(stream_)); }

    const std::string& name() const { return name_; }
    cudaError_t fault() const { return fault_; }

private:
    void keep(cudaError_t code) {
        if (fault_ == cudaSuccess) fault_ = code;
    }

    std::string name_;
    Body body_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t finished_ = nullptr;
    cudaError_t fault_ = cudaSuccess;
};

class Chart {
public:
    Stage& add(std::string name, Stage::Body body) {
        stages_.push_back(std::make_unique<Stage>(std::move(name), std::move(body)));
        return *stages_.back();
    }

    // Stages run in the order in which they were added, as far as their dependencies let them.
    void run() {
        for (auto& stage : stages_) stage->enqueue();
    }

    Status settle() {
        for (auto& stage : stages_) stage->drain();
        for (auto& stage : stages_)
            if (stage->fault() != cudaSuccess) {
                fault_ = stage->fault();
                return Status::failed;
            }
        return Status::fine;
    }

    cudaError_t fault() const { return fault_; }

private:
    std::vector<std::unique_ptr<Stage>> stages_;
    cudaError_t fault_ = cudaSuccess;
};

}  // namespace chart
