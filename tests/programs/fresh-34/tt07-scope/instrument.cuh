// instrument.cuh - the trigger, a kernel that stays on the device while frames pass
#pragma once

#include "plugin.h"

namespace scope {

struct Trigger {
    unsigned frames;     // written by the filters' lane
    unsigned fired;      // frames seen by the trigger
};

__global__ void trigger_kernel(volatile Trigger *t, unsigned until)
{
    unsigned seen = 0;
    while (seen < until) {
        const unsigned now = t->frames;
        if (now != seen) {
            seen = now;
            t->fired = seen;
            __threadfence();
        }
    }
}

__global__ void frame_end(Trigger *t)
{
    __threadfence();
    atomicAdd(&t->frames, 1u);
}

class Instrument {
public:
    Instrument(const std::vector<std::string> &chain, int samples) : n_(samples)
    {
        require(cudaStreamCreateWithFlags(&lane_, cudaStreamNonBlocking));
        require(cudaStreamCreateWithFlags(&watch_, cudaStreamNonBlocking));
        require(cudaMalloc(&frame_, bytes()));
        require(cudaMalloc(&trigger_, sizeof(Trigger)));
        require(cudaMallocHost(&staging_, bytes()));
        for (const auto &name : chain)
            filters_.push_back(Registry::instance().make(name));
        open();
    }

    ~Instrument()
    {
        filters_.clear();
        cudaFreeHost(staging_);
        cudaFree(trigger_);
        cudaFree(frame_);
        cudaStreamDestroy(watch_);
        cudaStreamDestroy(lane_);
    }
    Instrument(const Instrument &) = delete;
    Instrument &operator=(const Instrument &) = delete;

    void arm(unsigned frames)
    {
        trigger_kernel<<<1, 1, 0, watch_>>>(trigger_, frames);
        require(cudaGetLastError());
    }

    std::vector<float> process(const std::vector<float> &in)
    {
        std::copy(in.begin(), in.end(), staging_);
        require(cudaMemcpyAsync(frame_, staging_, bytes(), cudaMemcpyHostToDevice, lane_));
        for (auto &f : filters_)
            f->apply(frame_, n_, lane_);
        require(cudaMemcpyAsync(staging_, frame_, bytes(), cudaMemcpyDeviceToHost, lane_));
        frame_end<<<1, 1, 0, lane_>>>(trigger_);
        require(cudaGetLastError());
        require(cudaStreamSynchronize(lane_));
        return std::vector<float>(staging_, staging_ + n_);
    }

    unsigned disarm()
    {
        require(cudaStreamSynchronize(watch_));
        Trigger t{};
        require(cudaMemcpy(&t, trigger_, sizeof t, cudaMemcpyDeviceToHost));
        return t.fired;
    }

    std::vector<float> reference(std::vector<float> frame) const
    {
        for (const auto &f : filters_)
            f->reference(frame);
        return frame;
    }

private:
    std::size_t bytes() const { return n_ * sizeof(float); }

    void open()
    {
        for (auto &f : filters_)
            f->open(n_, lane_);
        std::fill(staging_, staging_ + n_, 0.0f);
        require(cudaMemcpyAsync(frame_, staging_, bytes(), cudaMemcpyHostToDevice, lane_));
        require(cudaMemcpyAsync(staging_, frame_, bytes(), cudaMemcpyDeviceToHost, lane_));
        trigger_kernel<<<1, 1, 0, watch_>>>(trigger_, 0);
        require(cudaGetLastError());
        frame_end<<<1, 1, 0, lane_>>>(trigger_);
        require(cudaGetLastError());
        require(cudaDeviceSynchronize());
        require(cudaMemset(trigger_, 0, sizeof(Trigger)));
        require(cudaDeviceSynchronize());
    }

    int n_;
    cudaStream_t lane_{}, watch_{};
    float *frame_{}, *staging_{};
    Trigger *trigger_{};
    std::vector<std::unique_ptr<Filter>> filters_;
};

} // namespace scope
