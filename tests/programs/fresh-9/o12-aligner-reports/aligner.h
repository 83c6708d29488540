#pragma once
#include "host_memory.h"
#include <deque>
#include <unordered_map>

namespace align {

struct Scoring {
    int match = 2, mismatch = -1, window = 32;
};

struct Report {
    int sample = 0;
    std::vector<int> scores;
};

using Reads = mem::PinnedVector<unsigned char>;

// Aligns several samples at a time, each in a lane of its own.
class Aligner {
public:
    Aligner(int lanes, size_t readsPerSample, const Scoring& sc);
    ~Aligner();
    void submit(int sample, const Reads& reads);
    const std::unordered_map<int, Report>& collect();

private:
    struct Lane {
        explicit Lane(size_t n) : reads(n), scores(n) {
            mem::expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        }
        ~Lane() { cudaStreamDestroy(stream); }
        cudaStream_t stream = nullptr;
        mem::DeviceArray<unsigned char> reads;
        mem::DeviceArray<int> scores;
    };
    size_t n_;
    Scoring scoring_;
    std::deque<Lane> lanes_;
    std::unordered_map<int, Report> reports_;
};

int scoreOnHost(const Reads& reads, size_t i, const Scoring& sc);

}  // namespace align
