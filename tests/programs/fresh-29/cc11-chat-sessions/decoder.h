#pragma once
#include "kv_cache.h"

namespace chat {

// One block of the decoder stays resident for every session and takes turns
// off its doorbell.
class ResidentDecoder {
public:
    ResidentDecoder();
    ~ResidentDecoder();
    ResidentDecoder(const ResidentDecoder &) = delete;

    void start(const KvCache &cache);

    // Puts a turn of the session into the stream, up to the reply being there.
    void turn(int session, unsigned number, cudaStream_t s) const;
    void retire();

private:
    CUdeviceptr bell(int session) const;
    CUdeviceptr done(int session) const;

    unsigned *lines_ = nullptr;
    cudaStream_t resident_ = nullptr;
    cudaStream_t control_ = nullptr;
    bool started_ = false;
};

} // namespace chat
