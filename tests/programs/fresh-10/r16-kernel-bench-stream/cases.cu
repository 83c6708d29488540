#include <cub/device/device_reduce.cuh>

#include "bench.h"

namespace bench {

namespace {

constexpr int kCells = 1 << 18;

__device__ unsigned long long clockNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void collide(float* cells, int n, unsigned long long budget) {
    const unsigned long long begin = clockNs();
    while (clockNs() - begin < budget) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        cells[i] = 0.5f * cells[i] + 1.0f;
}

template <class T>
class Array {
public:
    explicit Array(std::size_t n) { expect(cudaMalloc(&p_, n * sizeof(T))); }
    ~Array() { cudaFree(p_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    T* get() const { return p_; }

private:
    T* p_ = nullptr;
};

class Collide : public Case {
public:
    explicit Collide(cudaStream_t stream) : Case(stream), cells_(kCells) {
        expect(cudaMemsetAsync(cells_.get(), 0, kCells * sizeof(float), stream));
    }
    std::string name() const override { return "collide"; }
    void launch() override {
        collide<<<64, 256, 0, stream()>>>(cells_.get(), kCells, 12'000'000ull);
        expect(cudaGetLastError());
    }

protected:
    Array<float> cells_;
};

class Pressure final : public Collide {
public:
    explicit Pressure(cudaStream_t stream) : Collide(stream), total_(1) {
        expect(cub::DeviceReduce::Sum(nullptr, bytes_, cells_.get(), total_.get(), kCells, stream));
        scratch_ = std::make_unique<Array<char>>(bytes_);
    }
    std::string name() const override { return "pressure"; }
    void launch() override {
        Collide::launch();
        expect(cub::DeviceReduce::Sum(scratch_->get(), bytes_, cells_.get(), total_.get(), kCells, stream()));
    }

private:
    Array<float> total_;
    std::size_t bytes_ = 0;
    std::unique_ptr<Array<char>> scratch_;
};

}  // namespace

std::unique_ptr<Case> makeCollide(StreamPool& pool) {
    return std::make_unique<Collide>(pool.next());
}

std::unique_ptr<Case> makePressure(StreamPool& pool) {
    return std::make_unique<Pressure>(pool.next());
}

}  // namespace bench
