#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "host_storage.h"

namespace batch {

// A lane owns a stream and the device side of one request in flight.
template <class In, class Out>
class Lane {
public:
    Lane(std::size_t n) : input(n), output(n) {
        expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        expect(cudaMalloc(&d_in, input.bytes()));
        expect(cudaMalloc(&d_out, output.bytes()));
    }
    ~Lane() {
        cudaStreamSynchronize(stream);
        cudaFree(d_out);
        cudaFree(d_in);
        cudaStreamDestroy(stream);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    HostTensor<In> input;
    HostTensor<Out> output;
    In* d_in = nullptr;
    Out* d_out = nullptr;
    cudaStream_t stream = nullptr;
};

// Runs a model over a batch, one request in each lane.
template <class In, class Out>
class Executor {
public:
    using LaneT = Lane<In, Out>;
    using Model = std::function<void(const In*, Out*, std::size_t, cudaStream_t)>;

    Executor(std::size_t lanes, std::size_t n, Model model) : model_(std::move(model)) {
        for (std::size_t i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<LaneT>(n));
    }

    LaneT& lane(std::size_t i) { return *lanes_[i]; }
    std::size_t lanes() const { return lanes_.size(); }

    void run(std::size_t active) {
        for (std::size_t i = 0; i < active; ++i) dispatch(*lanes_[i]);
        for (std::size_t i = 0; i < active; ++i) expect(cudaStreamSynchronize(lanes_[i]->stream));
    }

private:
    void dispatch(LaneT& l) {
        expect(cudaMemcpyAsync(l.d_in, l.input.data(), l.input.bytes(), cudaMemcpyHostToDevice, l.stream));
        model_(l.d_in, l.d_out, l.input.size(), l.stream);
        expect(cudaMemcpyAsync(l.output.data(), l.d_out, l.output.bytes(), cudaMemcpyDeviceToHost, l.stream));
    }

    Model model_;
    std::vector<std::unique_ptr<LaneT>> lanes_;
};

}  // namespace batch
