#include "session.h"

namespace {

// Accumulates two taps per sample; a single block per caller.
__global__ void decode(const int* coded, int* mixed, int n, long long ns) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        mixed[i] += coded[i];
        mixed[i] += coded[(i + 1) % n];
    }
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

}  // namespace

Session::Session(int id) : id_(id), in_(kSamples), out_(kSamples), coded_(kSamples), mixed_(kSamples) {
    gpu(cudaStreamCreate(&stream_));
    gpu(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
}

Session::~Session() {
    cudaEventDestroy(arrived_);
    cudaStreamDestroy(stream_);
}

void Session::rewind() {
    packet_ = 0;
    state_ = State::Receive;
}

bool Session::step() {
    switch (state_) {
    case State::Receive:
        for (int i = 0; i < kSamples; ++i) in_[i] = sample(i);
        state_ = State::Clear;
        return true;
    case State::Clear:
        mixed_.wipe();
        state_ = State::Upload;
        return true;
    case State::Upload:
        coded_.load(in_.get(), stream_);
        state_ = State::Decode;
        return true;
    case State::Decode:
        decode<<<1, 256, 0, stream_>>>(coded_.get(), mixed_.get(), kSamples, 20'000'000LL);
        gpu(cudaGetLastError());
        state_ = State::Fetch;
        return true;
    case State::Fetch:
        mixed_.store(out_.get(), stream_);
        gpu(cudaEventRecord(arrived_, stream_));
        state_ = State::Await;
        return true;
    case State::Await:
        if (cudaError_t q = cudaEventQuery(arrived_); q == cudaErrorNotReady) {
            (void)cudaGetLastError();
            return false;
        } else {
            gpu(q);
        }
        state_ = State::Verify;
        return true;
    case State::Verify:
        for (int i = 0; i < kSamples; ++i) wrong_ += out_[i] != sample(i) + sample((i + 1) % kSamples);
        state_ = ++packet_ == kPackets ? State::Finished : State::Receive;
        return true;
    case State::Finished:
        break;
    }
    return false;
}
