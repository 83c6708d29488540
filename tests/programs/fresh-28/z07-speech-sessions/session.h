#pragma once
#include "scratch.h"

namespace asr {

// One caller.  feed() enqueues a chunk and returns; finish() waits for all of them.
class Session {
public:
    Session(int id, const FrontEnd& frontEnd, const Limits& limits);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void feed(int chunk);
    unsigned long long finish();
    unsigned long long expected(int chunks) const;

private:
    int id_;
    FrontEnd frontEnd_;
    int chunks_;
    ScratchCache scratch_;
    cudaStream_t stream_ = nullptr;
    std::int16_t* pcmHost_ = nullptr;
    std::int16_t* pcm_ = nullptr;
    unsigned long long* score_ = nullptr;
    unsigned long long* scoreHost_ = nullptr;
};

}  // namespace asr
