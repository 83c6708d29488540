// Quantiser for one colour plane; the work of a frame is recorded once and replayed.
#pragma once
#include "staging.h"

namespace codec {

constexpr int kBlock = 64;

int table_entry(int quality, int k);

class PlaneCodec {
public:
    PlaneCodec(Staging& staging, int quality, std::size_t blocks);
    ~PlaneCodec();
    PlaneCodec(const PlaneCodec&) = delete;
    PlaneCodec& operator=(const PlaneCodec&) = delete;

    int* input() { return coeffs_; }
    const int* output() const { return levels_; }
    std::size_t count() const { return blocks_ * kBlock; }

    void encode();
    void finish() { check(cudaStreamSynchronize(stream_)); }

private:
    void record(Staging& staging);
    void load_table(Staging& staging);

    int quality_;
    std::size_t blocks_;
    int *coeffs_ = nullptr, *levels_ = nullptr, *table_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace codec
