#pragma once
#include <cuda_runtime.h>
#include <vector>

#include "status.h"

namespace audio {

struct BandSpec {
    float gain;
    int centre;  // tap index of the peak
    int width;
};

// Designs integer-valued FIR taps into a page-locked drafting table.
class FilterDesigner {
public:
    explicit FilterDesigner(int taps) : count_(taps) { AUDIO_CHECK(cudaMallocHost(&table_, taps * sizeof(float))); }
    ~FilterDesigner() { cudaFreeHost(table_); }
    FilterDesigner(const FilterDesigner&) = delete;
    FilterDesigner& operator=(const FilterDesigner&) = delete;

    const float* design(const BandSpec& spec) {
        for (int i = 0; i < count_; ++i) {
            const int off = i > spec.centre ? i - spec.centre : spec.centre - i;
            table_[i] = off < spec.width ? spec.gain * static_cast<float>(spec.width - off) : 0.0f;
        }
        return table_;
    }
    int taps() const { return count_; }

private:
    int count_;
    float* table_ = nullptr;
};

}  // namespace audio
