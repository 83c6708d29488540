#pragma once
#include <memory>
#include <string>

#include "device.h"

namespace lidar {

constexpr int kPoints = 4096;
constexpr int kCells = 64;

// Everything one revolution of the scanner produces on its way through the pipeline.
struct Sweep {
    explicit Sweep(int number)
        : id(number),
          range(make_device<int>(kPoints)),
          cell(make_device<int>(kPoints)),
          count(make_device<int>(kCells)),
          moment(make_device<int>(kCells)),
          track(make_device<int>(kCells)) {}

    int id;
    DevicePtr<int> range;
    DevicePtr<int> cell;
    DevicePtr<int> count;
    DevicePtr<int> moment;
    DevicePtr<int> track;
};

// A pipeline stage owns a stream and publishes one event per sweep.
class Stage {
public:
    explicit Stage(std::string name) : name_(std::move(name)), stream_(make_stream()), done_(make_event()) {}
    virtual ~Stage() = default;

    void follow(const Stage* upstream) { upstream_ = upstream; }

    void run(Sweep& sweep) {
        if (upstream_) LT_CUDA(cudaStreamWaitEvent(stream(), upstream_->done(), 0));
        enqueue(sweep);
        LT_CUDA(cudaGetLastError());
        LT_CUDA(cudaEventRecord(done(), stream()));
    }

    void drain() const { LT_CUDA(cudaStreamSynchronize(stream())); }

    cudaStream_t stream() const { return stream_.get(); }
    cudaEvent_t done() const { return done_.get(); }
    const std::string& name() const { return name_; }

protected:
    virtual void enqueue(Sweep& sweep) = 0;

private:
    std::string name_;
    StreamPtr stream_;
    EventPtr done_;
    const Stage* upstream_ = nullptr;
};

std::unique_ptr<Stage> make_stage(const std::string& name);

}  // namespace lidar
