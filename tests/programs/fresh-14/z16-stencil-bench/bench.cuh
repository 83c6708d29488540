#pragma once

#include "stencil.cuh"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace st {

using Scheme = std::variant<Stencil<1>, Stencil<2>, Stencil<4>>;

struct EventDestroy {
    void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using event_ptr = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDestroy>;

inline event_ptr make_event(unsigned flags = cudaEventDefault)
{
    cudaEvent_t e = nullptr;
    check(cudaEventCreateWithFlags(&e, flags));
    return event_ptr(e);
}

// One field, its stream and its buffers from the device's memory pool.
class Lane {
public:
    Lane(int n, int seed) : n_(n), seed_(seed), done_(make_event(cudaEventDisableTiming))
    {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (int*& b : buffers_)
            check(cudaMallocAsync(reinterpret_cast<void**>(&b), n * sizeof(int), stream_));
        reset();
    }
    ~Lane()
    {
        for (int* b : buffers_)
            cudaFreeAsync(b, stream_);
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void reset()
    {
        const auto h = initial();
        check(cudaMemcpyAsync(buffers_[0], h.data(), n_ * sizeof(int), cudaMemcpyHostToDevice, stream_));
        check(cudaStreamSynchronize(stream_));
        current_ = 0;
    }

    void begin_after(cudaEvent_t e) { check(cudaStreamWaitEvent(stream_, e, 0)); }
    cudaEvent_t mark()
    {
        check(cudaEventRecord(done_.get(), stream_));
        return done_.get();
    }

    void step(const Scheme& scheme, Clock* clk)
    {
        std::visit([&](const auto& k) { k(buffers_[current_], buffers_[1 - current_], n_, clk, stream_); },
                   scheme);
        current_ = 1 - current_;
    }

    std::vector<int> download() const
    {
        std::vector<int> h(n_);
        check(cudaMemcpyAsync(h.data(), buffers_[current_], n_ * sizeof(int), cudaMemcpyDeviceToHost,
                              stream_));
        check(cudaStreamSynchronize(stream_));
        return h;
    }

    std::vector<int> initial() const
    {
        std::vector<int> h(n_);
        for (int i = 0; i < n_; ++i)
            h[i] = (i * 17 + seed_ * 101) % 251;
        return h;
    }

private:
    int n_;
    int seed_;
    event_ptr done_;
    cudaStream_t stream_ = nullptr;
    int* buffers_[2] = {nullptr, nullptr};
    int current_ = 0;
};

}  // namespace st
