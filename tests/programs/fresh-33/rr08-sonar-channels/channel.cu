#include "channel.h"

namespace {

// Accumulates two taps per sample; a single block per channel.
__global__ void decode(const int* coded, int* echo, int n, long long ns) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        echo[i] += coded[i];
        echo[i] += coded[(i + 1) % n];
    }
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

}  // namespace

Channel::Channel(int id) : id_(id), in_(kSamples), out_(kSamples), coded_(kSamples), echo_(kSamples) {
    gpu(cudaStreamCreate(&stream_));
    gpu(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
}

Channel::~Channel() {
    cudaEventDestroy(arrived_);
    cudaStreamDestroy(stream_);
}

void Channel::rewind() {
    ping_ = 0;
    state_ = State::Receive;
}

bool Channel::step() {
    switch (state_) {
    case State::Receive:
        for (int i = 0; i < kSamples; ++i) in_[i] = sample(i);
        state_ = State::Clear;
        return true;
    case State::Clear:
        echo_.wipe(stream_);
        state_ = State::Upload;
        return true;
    case State::Upload:
        coded_.load(in_.get(), stream_);
        state_ = State::Decode;
        return true;
    case State::Decode:
        decode<<<1, 256, 0, stream_>>>(coded_.get(), echo_.get(), kSamples, 20'000'000LL);
        gpu(cudaGetLastError());
        state_ = State::Fetch;
        return true;
    case State::Fetch:
        echo_.store(out_.get(), stream_);
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
        state_ = ++ping_ == kPings ? State::Finished : State::Receive;
        return true;
    case State::Finished:
        break;
    }
    return false;
}
