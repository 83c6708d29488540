#pragma once

#include "slab.h"

constexpr int kSamples = 4096;
constexpr int kPings = 4;

// One channel. step() never blocks; the loop calls it until it is finished.
class Channel {
public:
    explicit Channel(int id);
    ~Channel();

    bool step();
    void rewind();
    bool finished() const { return state_ == State::Finished; }
    int wrong() const { return wrong_; }

private:
    enum class State { Receive, Clear, Upload, Decode, Fetch, Await, Verify, Finished };

    int sample(int i) const { return (id_ + 1) * 1000 + ping_ * 10 + i % 10; }

    int id_;
    int ping_ = 0;
    int wrong_ = 0;
    State state_ = State::Receive;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t arrived_ = nullptr;
    Pinned<int> in_, out_;
    Slab<int> coded_, echo_;
};
