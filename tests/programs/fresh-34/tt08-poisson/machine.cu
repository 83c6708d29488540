#include "machine.h"

#include <cmath>

namespace poisson {

namespace {
float source(int c) { return 0.01f * (float)(c % 89); }
constexpr std::size_t kBytes = kCells * sizeof(float);
}

Outcome Machine::run()
{
    for (Phase p = Phase::Allocate; p != Phase::End;)
        p = step(p);
    return out_;
}

Phase Machine::step(Phase p)
{
    switch (p) {
    case Phase::Allocate: return allocate();
    case Phase::Fill:     return fill();
    case Phase::Warm:     return warm();
    case Phase::Reset:    return reset();
    case Phase::Start:    return start();
    case Phase::Sweep:    return sweep_once();
    case Phase::Stop:     return stop();
    case Phase::Settle:   return settle();
    case Phase::Witness:  return witness();
    case Phase::Verify:   return verify();
    case Phase::Release:  return release();
    case Phase::End:      break;
    }
    return Phase::End;
}

Phase Machine::allocate()
{
    cudaError_t e;
    if ((e = cudaStreamCreateWithFlags(&lanes_.body, cudaStreamNonBlocking))) return then(e, Phase::Release);
    if ((e = cudaStreamCreateWithFlags(&lanes_.rim, cudaStreamNonBlocking))) return then(e, Phase::Release);
    if ((e = cudaEventCreateWithFlags(&lanes_.fork, cudaEventDisableTiming))) return then(e, Phase::Release);
    if ((e = cudaEventCreateWithFlags(&lanes_.join, cudaEventDisableTiming))) return then(e, Phase::Release);
    if ((e = cudaEventCreate(&begin_))) return then(e, Phase::Release);
    if ((e = cudaEventCreate(&end_))) return then(e, Phase::Release);
    if ((e = cudaMalloc(&f_, kBytes))) return then(e, Phase::Release);
    if ((e = cudaMalloc(&u_, kBytes))) return then(e, Phase::Release);
    return then(cudaMallocHost(&host_, kBytes), Phase::Fill);
}

Phase Machine::fill()
{
    for (int c = 0; c < kCells; ++c)
        host_[c] = source(c);
    if (auto e = cudaMemcpyAsync(f_, host_, kBytes, cudaMemcpyHostToDevice, lanes_.body))
        return then(e, Phase::Release);
    return then(cudaMemsetAsync(u_, 0, kBytes, lanes_.body), Phase::Warm);
}

Phase Machine::warm()
{
    return then(sweep(lanes_, f_, u_, 0), Phase::Reset);
}

Phase Machine::reset()
{
    if (auto e = cudaMemsetAsync(u_, 0, kBytes, lanes_.body))
        return then(e, Phase::Release);
    done_ = 0;
    return then(cudaStreamSynchronize(lanes_.body), Phase::Start);
}

Phase Machine::start()
{
    return then(cudaEventRecord(begin_, lanes_.body), Phase::Sweep);
}

Phase Machine::sweep_once()
{
    const auto e = sweep(lanes_, f_, u_, done_);
    ++done_;
    return then(e, done_ < sweeps_ ? Phase::Sweep : Phase::Stop);
}

Phase Machine::stop()
{
    return then(cudaEventRecord(end_, lanes_.body), Phase::Settle);
}

Phase Machine::settle()
{
    if (auto e = cudaMemcpyAsync(host_, u_, kBytes, cudaMemcpyDeviceToHost, lanes_.body))
        return then(e, Phase::Release);
    if (auto e = cudaStreamSynchronize(lanes_.body))
        return then(e, Phase::Release);
    return then(cudaEventElapsedTime(&out_.reported_ms, begin_, end_), Phase::Verify);
}

Phase Machine::verify()
{
    for (int c = 0; c < kCells; ++c) {
        const float want = reference(0.0f, source(c), c, sweeps_);
        if (std::fabs(want - host_[c]) > 1e-3f * (1.0f + std::fabs(want)))
            ++out_.mismatches;
    }
    return Phase::Witness;
}

// the same work once more by the clock of the host
Phase Machine::witness()
{
    const auto t0 = clock::now();
    for (int s = 0; s < sweeps_; ++s)
        if (auto e = sweep(lanes_, f_, u_, s))
            return then(e, Phase::Release);
    const auto e = cudaStreamSynchronize(lanes_.body);
    out_.witness_ms = std::chrono::duration<double, std::milli>(clock::now() - t0).count();
    return then(e, Phase::Release);
}

Phase Machine::release()
{
    cudaDeviceSynchronize();
    if (host_) cudaFreeHost(host_);
    if (u_) cudaFree(u_);
    if (f_) cudaFree(f_);
    for (cudaEvent_t e : {begin_, end_, lanes_.fork, lanes_.join})
        if (e) cudaEventDestroy(e);
    for (cudaStream_t s : {lanes_.body, lanes_.rim})
        if (s) cudaStreamDestroy(s);
    return Phase::End;
}

} // namespace poisson
