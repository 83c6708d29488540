#pragma once

#include <array>
#include <vector>

#include "plan.h"

namespace audio {

/// Converts blocks of samples, one after another over a ring of lanes.
class engine {
public:
    static constexpr std::size_t lane_count = 4;

    explicit engine(int max_ratio)
    {
        std::vector<int> host(static_cast<std::size_t>(out_samples) * max_ratio + taps);
        for (std::size_t i = 0; i < host.size(); ++i) host[i] = sample(static_cast<int>(i));
        expect_ok(cudaMalloc(&in_, host.size() * sizeof(int)));
        expect_ok(cudaMemcpy(in_, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
        for (auto& l : lanes_) {
            expect_ok(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
            expect_ok(cudaMalloc(&l.out, sizeof(int) * out_samples));
        }
        expect_ok(cudaDeviceSynchronize());
    }

    ~engine()
    {
        for (auto& l : lanes_) {
            cudaFree(l.out);
            cudaStreamDestroy(l.stream);
        }
        cudaFree(in_);
    }

    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;

    void convert(int ratio)
    {
        auto const index = turn_++ % lane_count;
        auto& l = lanes_[index];
        plans_.get(ratio, index, l.stream)->run(in_, l.out);
    }

    void finish() const
    {
        for (auto const& l : lanes_) expect_ok(cudaStreamSynchronize(l.stream));
    }

    long mismatches(int ratio) const
    {
        long bad = 0;
        std::vector<int> got(out_samples);
        for (auto const& l : lanes_) {
            expect_ok(cudaMemcpy(got.data(), l.out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
            for (int i = 0; i < out_samples; i += 7) {
                int sum = 0;
                for (int t = 0; t < taps; ++t) sum += sample(i * ratio + t) * coefficient(ratio, t);
                bad += got[i] != sum;
            }
        }
        return bad;
    }

private:
    struct lane {
        cudaStream_t stream = nullptr;
        int* out = nullptr;
    };

    plan_cache plans_;
    std::array<lane, lane_count> lanes_;
    std::size_t turn_ = 0;
    int* in_ = nullptr;
};

} // namespace audio
