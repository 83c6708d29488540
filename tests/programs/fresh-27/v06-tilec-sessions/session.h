#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "pinned_pool.h"

namespace tilec {

/// One encoder instance with its own stream. Frames are encoded in the order of submission.
class Session {
public:
    Session(PinnedPool& pool, int coefficients);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Quantises a frame of coefficients (device memory) into `levels` (device memory).
    /// Returns as soon as the frame is queued; both must stay until flush().
    void submit(const int32_t* frame, int quality, int32_t* levels);

    /// Blocks until every submitted frame is encoded.
    void flush();

    cudaStream_t stream() const { return stream_; }

private:
    void uploadSteps(int quality);

    PinnedPool& pool_;
    int coefficients_;
    cudaStream_t stream_ = nullptr;
    int32_t* steps_ = nullptr;
};

}  // namespace tilec
