#include "plugin.hpp"

namespace insitu {
namespace {

constexpr int kBins = 16;
__constant__ float kRange[2] = {-1.0f, 1.0f};

__global__ void bin_values(const float* field, int n, unsigned* bins) {
    __shared__ unsigned local[kBins];
    if (threadIdx.x < kBins) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float t = (field[i] - kRange[0]) / (kRange[1] - kRange[0]);
        int b = static_cast<int>(t * kBins);
        b = b < 0 ? 0 : (b >= kBins ? kBins - 1 : b);
        atomicAdd(&local[b], 1u);
    }
    __syncthreads();
    if (threadIdx.x < kBins) bins[threadIdx.x] = local[threadIdx.x];
}

class Histogram final : public Plugin {
public:
    Histogram() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        check(cudaMalloc(reinterpret_cast<void**>(&bins_), kBins * sizeof(unsigned)));
        check(cudaMallocHost(reinterpret_cast<void**>(&host_), kBins * sizeof(unsigned)));
    }
    ~Histogram() override {
        cudaFree(bins_);
        cudaFreeHost(host_);
        cudaStreamDestroy(stream_);
    }
    const char* name() const override { return "histogram"; }
    Report execute(const FieldView& field) override {
        bin_values<<<1, 256, 0, stream_>>>(field.data, field.n, bins_);
        check(cudaGetLastError());
        check(cudaMemcpyAsync(host_, bins_, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
        return Report{name(), std::vector<unsigned>(host_, host_ + kBins)};
    }

private:
    cudaStream_t stream_ = nullptr;
    unsigned* bins_ = nullptr;
    unsigned* host_ = nullptr;
};

const bool registered = Registry::instance().add("histogram", [] { return std::make_unique<Histogram>(); });

}  // namespace
}  // namespace insitu
