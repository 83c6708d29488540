// Orthophoto mosaic: every tile is uploaded, rectified and fetched in one of
// a few lanes.
#include <chrono>
#include <cstdint>

#include "dashboard.cuh"
#include "lanes.h"

namespace mz {

struct Survey {
    int tiles = 16;
    int edge = 96;
    LaneOptions lanes;
};

template <typename Pixel>
__host__ __device__ Pixel rectified(Pixel p, int x, int y) {
    return static_cast<Pixel>(p * 5 + x * 3 + y);
}

template <typename Pixel>
__global__ void rectify(const Pixel* in, Pixel* out, int edge, unsigned long long model_ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < model_ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < edge * edge; i += gridDim.x * blockDim.x) {
        out[i] = rectified<Pixel>(in[i], i % edge, i / edge);
    }
}

template <typename Pixel>
class Mosaic {
public:
    explicit Mosaic(const Survey& s) : survey_(s), lanes_(s.lanes), area_(size_t(s.edge) * s.edge) {
        const size_t bytes = area_ * s.tiles * sizeof(Pixel);
        MZ_CHECK(cudaMallocHost(&photo_, bytes));
        MZ_CHECK(cudaMallocHost(&ortho_, bytes));
        MZ_CHECK(cudaMalloc(&d_in_, bytes));
        MZ_CHECK(cudaMalloc(&d_out_, bytes));
        for (size_t i = 0; i < area_ * s.tiles; ++i) photo_[i] = static_cast<Pixel>(i * 2654435761u >> 7);
    }
    ~Mosaic() {
        cudaFree(d_in_);
        cudaFree(d_out_);
        cudaFreeHost(photo_);
        cudaFreeHost(ortho_);
    }

    double stitch(int tiles, int width) {
        MZ_CHECK(cudaDeviceSynchronize());
        const auto t0 = std::chrono::steady_clock::now();
        for (int t = 0; t < tiles; ++t) {
            tile(t, lanes_.pick(t, width));
            Dashboard::instance().issued(static_cast<unsigned>(t));
        }
        MZ_CHECK(cudaDeviceSynchronize());
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    }

    long differences() const {
        long n = 0;
        for (int t = 0; t < survey_.tiles; ++t) {
            for (size_t i = 0; i < area_; ++i) {
                const int x = static_cast<int>(i % survey_.edge), y = static_cast<int>(i / survey_.edge);
                n += ortho_[t * area_ + i] != rectified<Pixel>(photo_[t * area_ + i], x, y);
            }
        }
        return n;
    }
    int width() const { return lanes_.size(); }

private:
    void tile(int t, cudaStream_t lane) {
        const size_t at = t * area_, bytes = area_ * sizeof(Pixel);
        MZ_CHECK(cudaMemcpyAsync(d_in_ + at, photo_ + at, bytes, cudaMemcpyHostToDevice, lane));
        rectify<Pixel><<<4, 128, 0, lane>>>(d_in_ + at, d_out_ + at, survey_.edge, 15000000ull);
        MZ_CHECK(cudaGetLastError());
        MZ_CHECK(cudaMemcpyAsync(ortho_ + at, d_out_ + at, bytes, cudaMemcpyDeviceToHost, lane));
    }

    Survey survey_;
    LaneSet lanes_;
    size_t area_;
    Pixel *photo_ = nullptr, *ortho_ = nullptr, *d_in_ = nullptr, *d_out_ = nullptr;
};

}  // namespace mz

int main() {
    mz::Survey survey;
    survey.lanes.flags = cudaStreamNonBlocking;
    mz::Mosaic<uint16_t> mosaic(survey);
    mosaic.stitch(mosaic.width(), mosaic.width());

    const double share = mosaic.stitch(survey.tiles / mosaic.width(), 1);
    const double whole = mosaic.stitch(survey.tiles, mosaic.width());
    std::fprintf(stderr, "%d tiles in %.1f ms, one lane's share %.1f ms\n", survey.tiles, whole, share);

    const unsigned want = survey.tiles + survey.tiles / mosaic.width() + mosaic.width();
    long wrong = mosaic.differences();
    if (mz::Dashboard::instance().total() != want) ++wrong;

    const double ratio = whole / share;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
