// pipeline.h - stages, put together at run time, compiled to one graph
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace flow {

struct Error : std::runtime_error {
    explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void ok(cudaError_t e) { if (e != cudaSuccess) throw Error(e); }

template <class T> std::shared_ptr<T> pinned(std::size_t n)
{
    T *p{};
    ok(cudaMallocHost(&p, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T *q) { cudaFreeHost(q); });
}

template <class T> std::shared_ptr<T> device(std::size_t n)
{
    T *p{};
    ok(cudaMalloc(&p, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T *q) { cudaFree(q); });
}

inline std::shared_ptr<CUstream_st> lane()
{
    cudaStream_t s{};
    ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return {s, [](cudaStream_t q) { cudaStreamDestroy(q); }};
}

inline std::shared_ptr<CUevent_st> mark()
{
    cudaEvent_t e{};
    ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return {e, [](cudaEvent_t q) { cudaEventDestroy(q); }};
}

// issues the work of a stage into a stream
using Emit = std::function<void(cudaStream_t)>;

class Compiled {
public:
    Compiled(cudaGraph_t g, std::vector<Emit> owners) : owners_(std::move(owners))
    {
        const auto e = cudaGraphInstantiate(&exec_, g, 0);
        cudaGraphDestroy(g);
        ok(e);
    }
    Compiled(Compiled &&o) noexcept
        : exec_(std::exchange(o.exec_, nullptr)), owners_(std::move(o.owners_)) {}
    ~Compiled() { if (exec_) cudaGraphExecDestroy(exec_); }
    Compiled(const Compiled &) = delete;
    Compiled &operator=(const Compiled &) = delete;

    void operator()(cudaStream_t s) const { ok(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t   exec_{};
    std::vector<Emit> owners_;
};

class Builder {
public:
    Builder &then(Emit e)
    {
        steps_.push_back({{std::move(e)}});
        return *this;
    }

    // side by side; the next stage follows on all of them
    template <class... Es> Builder &parallel(Es &&...es)
    {
        steps_.push_back({{Emit(std::forward<Es>(es))...}});
        return *this;
    }

    template <class T> Builder &upload(std::shared_ptr<T> to, std::shared_ptr<T> from, std::size_t n)
    {
        return then([=](cudaStream_t s) {
            ok(cudaMemcpyAsync(to.get(), from.get(), n * sizeof(T), cudaMemcpyHostToDevice, s));
        });
    }

    template <class T> Builder &download(std::shared_ptr<T> to, std::shared_ptr<T> from, std::size_t n)
    {
        return then([=](cudaStream_t s) {
            ok(cudaMemcpyAsync(to.get(), from.get(), n * sizeof(T), cudaMemcpyDeviceToHost, s));
        });
    }

    Compiled compile()
    {
        const auto trunk = lane();
        std::vector<std::shared_ptr<CUstream_st>> side;
        std::vector<std::shared_ptr<CUevent_st>> marks;
        std::vector<Emit> owners;

        for (const auto &step : steps_)
            while (side.size() + 1 < step.branches.size())
                side.push_back(lane());

        cudaGraph_t g{};
        ok(cudaStreamBeginCapture(trunk.get(), cudaStreamCaptureModeThreadLocal));
        for (auto &step : steps_) {
            const auto split = mark();
            marks.push_back(split);
            if (step.branches.size() > 1)
                ok(cudaEventRecord(split.get(), trunk.get()));
            for (std::size_t b = 1; b < step.branches.size(); ++b) {
                const auto s = side[b - 1].get();
                ok(cudaStreamWaitEvent(s, split.get(), 0));
                step.branches[b](s);
                marks.push_back(mark());
                ok(cudaEventRecord(marks.back().get(), s));
            }
            step.branches[0](trunk.get());
            for (std::size_t b = 1; b < step.branches.size(); ++b)
                ok(cudaStreamWaitEvent(trunk.get(), marks[marks.size() - b].get(), 0));
            for (auto &e : step.branches)
                owners.push_back(std::move(e));
        }
        ok(cudaStreamEndCapture(trunk.get(), &g));
        steps_.clear();
        return Compiled(g, std::move(owners));
    }

private:
    struct Step { std::vector<Emit> branches; };
    std::vector<Step> steps_;
};

} // namespace flow
