#pragma once
#include "frame_pool.h"
#include <deque>
#include <vector>

namespace livecast {

struct TranscoderConfig {
    int width = 640;
    int height = 360;
    int depth = 2;              // pictures on the device at a time
    unsigned searchMicros = 25000;  // time budget of the motion search
    std::size_t bytes() const { return static_cast<std::size_t>(width) * height; }
};

// Encoded pictures of one programme, in order of their numbers.
class SegmentStore {
public:
    SegmentStore(int pictures, std::size_t bytes) : bytes_(bytes) {
        LC_CALL(cudaMallocHost(reinterpret_cast<void**>(&data_), bytes * pictures));
    }
    ~SegmentStore() { cudaFreeHost(data_); }
    SegmentStore(const SegmentStore&) = delete;
    SegmentStore& operator=(const SegmentStore&) = delete;
    unsigned char* picture(int n) { return data_ + bytes_ * n; }

private:
    std::size_t bytes_;
    unsigned char* data_ = nullptr;
};

class Transcoder {
public:
    Transcoder(const TranscoderConfig& config, SegmentStore& store);
    ~Transcoder();
    void submit(FrameRef frame);
    void flush();
    int finished() const { return finished_; }

private:
    struct Bank {
        unsigned char* source = nullptr;
        unsigned char* coded = nullptr;
        cudaEvent_t done = nullptr;
    };
    struct Ticket {
        int number;
        Bank* bank;
    };
    void retire();

    TranscoderConfig config_;
    SegmentStore& store_;
    cudaStream_t stream_ = nullptr;
    std::vector<Bank> banks_;
    std::deque<Ticket> flight_;
    std::size_t next_ = 0;
    int finished_ = 0;
};

}  // namespace livecast
