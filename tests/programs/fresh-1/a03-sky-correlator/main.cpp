#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "stages.h"

namespace {

using namespace sky;

template <class T> std::shared_ptr<T> deviceArray(size_t n) {
    T* p = nullptr;
    SKY_CHECK(cudaMalloc(&p, n * sizeof(T)));
    SKY_CHECK(cudaMemset(p, 0, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T* q) { cudaFree(q); });
}

template <class T> std::shared_ptr<T> pinnedArray(size_t n) {
    T* p = nullptr;
    SKY_CHECK(cudaMallocHost(&p, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T* q) { cudaFreeHost(q); });
}

class Observation {
public:
    explicit Observation(const Geometry& g)
        : g_(g), channelizer_(g), integrator_(g),
          voltages_(pinnedArray<short>(size_t(g.bins) * g.spectra)),
          scratch_(deviceArray<short>(g.bins)),
          spectra_(deviceArray<float>(size_t(g.bins) * g.spectra)),
          image_(deviceArray<float>(g.bins)),
          progress_(deviceArray<unsigned>(1)) {
        for (int s = 0; s < g_.spectra; ++s)
            for (int b = 0; b < g_.bins; ++b) voltages_.get()[size_t(s) * g_.bins + b] = short((b * 3 + s) % 17);
        SKY_CHECK(cudaDeviceSynchronize());
    }

    std::vector<float> run() {
        integrator_.open(spectra_.get(), progress_.get(), image_.get());
        for (int s = 0; s < g_.spectra; ++s)
            channelizer_.process(s, voltages_.get() + size_t(s) * g_.bins, scratch_.get(), spectra_.get(),
                                 progress_.get());
        channelizer_.finish();
        integrator_.finish();
        std::vector<float> out(g_.bins);
        SKY_CHECK(cudaMemcpy(out.data(), image_.get(), g_.bins * sizeof(float), cudaMemcpyDeviceToHost));
        return out;
    }

    float expected(int bin) const {
        static const int taps[16] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1};
        float total = 0.f;
        for (int s = 0; s < g_.spectra; ++s)
            for (int t = 0; t < 16; ++t) total += float(taps[t] * ((((bin + t) % g_.bins) * 3 + s) % 17));
        return total;
    }

private:
    Geometry g_;
    Channelizer channelizer_;
    Integrator integrator_;
    std::shared_ptr<short> voltages_;
    std::shared_ptr<short> scratch_;
    std::shared_ptr<float> spectra_;
    std::shared_ptr<float> image_;
    std::shared_ptr<unsigned> progress_;
};

}  // namespace

int main() {
    try {
        const Geometry g;
        Observation obs(g);
        const std::vector<float> image = obs.run();
        int wrong = 0;
        for (int b = 0; b < g.bins; ++b)
            if (std::fabs(image[b] - obs.expected(b)) > 0.01f) ++wrong;
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const GpuError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
