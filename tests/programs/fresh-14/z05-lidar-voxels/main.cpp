// Mapping node of a rover: sweeps arrive from the scanner, are uploaded through a pinned ring and
// integrated into a voxel grid.
#include "staging.h"
#include "voxels.cuh"

#include <memory>
#include <vector>

namespace {

constexpr int kSweeps = 12;
constexpr int kPoints = 16384;

struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using device_array = std::unique_ptr<T[], DeviceFree>;

template <class T>
device_array<T> make_device(std::size_t n)
{
    T* p = nullptr;
    lidar::require(cudaMalloc(&p, n * sizeof(T)));
    return device_array<T>(p);
}

struct StreamDestroy {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using stream_ptr = std::unique_ptr<CUstream_st, StreamDestroy>;

class Scanner {
public:
    void read(lidar::Point* out, int count)
    {
        for (int i = 0; i < count; ++i) {
            const float a = static_cast<float>(i % 360);
            out[i] = lidar::Point{0.01f * a, 0.02f * (i % 97), 0.03f * (i % 31), intensity(sweep_, i)};
        }
        ++sweep_;
    }
    static int intensity(int sweep, int i) { return 1000 * (sweep + 1) + i % 10; }

private:
    int sweep_ = 0;
};

class Mapper {
public:
    Mapper() : ring_(kPoints)
    {
        cudaStream_t s = nullptr;
        lidar::require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        stream_.reset(s);
        points_ = make_device<lidar::Point>(kPoints);
        voxels_ = make_device<unsigned>(cells());
        totals_ = make_device<unsigned long long>(kSweeps);
        lidar::require(cudaMemsetAsync(voxels_.get(), 0, cells() * sizeof(unsigned), s));
        lidar::require(cudaMemsetAsync(totals_.get(), 0, kSweeps * sizeof(unsigned long long), s));
    }

    void feed(Scanner& scanner, int sweep)
    {
        lidar::Point* block = ring_.acquire(stream_.get());
        scanner.read(block, kPoints);
        ring_.upload(points_.get(), kPoints, stream_.get());
        lidar::integrate_sweep(points_.get(), kPoints, spec_, voxels_.get(), totals_.get() + sweep,
                               stream_.get());
    }

    std::vector<unsigned long long> totals()
    {
        std::vector<unsigned long long> t(kSweeps);
        lidar::require(cudaStreamSynchronize(stream_.get()));
        lidar::require(cudaMemcpy(t.data(), totals_.get(), t.size() * sizeof(t[0]),
                                  cudaMemcpyDeviceToHost));
        return t;
    }

private:
    std::size_t cells() const { return static_cast<std::size_t>(spec_.side) * spec_.side * spec_.side; }

    lidar::GridSpec spec_;
    lidar::StagingRing ring_;
    stream_ptr stream_;
    device_array<lidar::Point> points_;
    device_array<unsigned> voxels_;
    device_array<unsigned long long> totals_;
};

}  // namespace

int main()
{
    Scanner scanner;
    Mapper mapper;
    for (int s = 0; s < kSweeps; ++s)
        mapper.feed(scanner, s);

    const auto totals = mapper.totals();
    int wrong = 0;
    for (int s = 0; s < kSweeps; ++s) {
        unsigned long long want = 0;
        for (int i = 0; i < kPoints; ++i)
            want += static_cast<unsigned long long>(Scanner::intensity(s, i));
        wrong += totals[s] != want;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
