#include "filters.cuh"

namespace {

__global__ void multiply(float* x, int n, const float* taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= taps[i % kTaps];
}

__global__ void add(float* x, int n, const float* taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += taps[i % kTaps];
}

// Base of the filters whose coefficients travel with the recorded work.
class TableFilter : public Filter {
public:
    explicit TableFilter(float base) : base_(base) { Q(cudaMalloc(&table_, kTaps * sizeof(float))); }
    ~TableFilter() override { cudaFree(table_); }

    void record(Recorder& r) override {
        auto block = r.staging.lease();
        for (int k = 0; k < kTaps; ++k) block[k] = tap(k);
        Q(cudaMemcpyAsync(table_, block.get(), kTaps * sizeof(float), cudaMemcpyHostToDevice, r.stream));
        run(r, table_);
    }

protected:
    virtual void run(Recorder& r, const float* table) = 0;
    float tap(int k) const { return base_ + 0.5f * float(k % 4); }

private:
    float base_;
    float* table_ = nullptr;
};

class Gain final : public TableFilter {
public:
    using TableFilter::TableFilter;
    double apply(double x, int i) const override { return x * tap(i % kTaps); }

protected:
    void run(Recorder& r, const float* table) override {
        multiply<<<(r.samples + 255) / 256, 256, 0, r.stream>>>(r.signal, r.samples, table);
        Q(cudaGetLastError());
    }
};

class Offset final : public TableFilter {
public:
    using TableFilter::TableFilter;
    double apply(double x, int i) const override { return x + tap(i % kTaps); }

protected:
    void run(Recorder& r, const float* table) override {
        add<<<(r.samples + 255) / 256, 256, 0, r.stream>>>(r.signal, r.samples, table);
        Q(cudaGetLastError());
    }
};

}  // namespace

std::unique_ptr<Filter> make_gain(float base) { return std::make_unique<Gain>(base); }
std::unique_ptr<Filter> make_offset(float base) { return std::make_unique<Offset>(base); }
