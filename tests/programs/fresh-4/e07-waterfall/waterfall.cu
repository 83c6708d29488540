#include "spectrum_accumulator.cuh"
#include "waterfall.h"
#include <cstring>

namespace radio {
namespace {

class CudaWaterfall final : public Waterfall {
public:
    explicit CudaWaterfall(const WaterfallConfig& config)
        : config_(config), stream_(make_stream()), accumulator_(stream_)
    {
        const std::size_t samples = std::size_t(config.dwells) * config.samples_per_dwell;
        cuda_must(cudaMalloc(reinterpret_cast<void**>(&device_iq_), samples * sizeof(std::uint16_t)));
        cuda_must(cudaMallocHost(reinterpret_cast<void**>(&host_iq_), samples * sizeof(std::uint16_t)));
        cuda_must(cudaMallocHost(reinterpret_cast<void**>(&rows_),
                                 config.dwells * SpectrumAccumulator<>::kBytes));
    }

    ~CudaWaterfall() override
    {
        cudaStreamSynchronize(stream_);
        cudaFreeHost(rows_);
        cudaFreeHost(host_iq_);
        cudaFree(device_iq_);
        cudaStreamDestroy(stream_);
    }

    void ingest(const std::vector<std::uint16_t>& dwell) override
    {
        const std::size_t at = std::size_t(filled_) * config_.samples_per_dwell;
        const std::size_t bytes = config_.samples_per_dwell * sizeof(std::uint16_t);
        std::memcpy(host_iq_ + at, dwell.data(), bytes);
        cuda_must(cudaMemcpyAsync(device_iq_ + at, host_iq_ + at, bytes, cudaMemcpyHostToDevice, stream_));

        accumulator_.reset();
        accumulator_.integrate(device_iq_ + at, config_.samples_per_dwell,
                               config_.dwell_ms * 1'000'000ull);
        accumulator_.emit(rows_ + std::size_t(filled_) * bins());
        ++filled_;
    }

    void flush() override { cuda_must(cudaStreamSynchronize(stream_)); }

    const std::uint32_t* row(int index) const override { return rows_ + std::size_t(index) * bins(); }
    int bins() const override { return AccumulatorTraits::kBins; }

private:
    static cudaStream_t make_stream()
    {
        cudaStream_t s;
        cuda_must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        return s;
    }

    WaterfallConfig config_;
    cudaStream_t stream_;
    SpectrumAccumulator<> accumulator_;
    std::uint16_t* device_iq_ = nullptr;
    std::uint16_t* host_iq_ = nullptr;
    std::uint32_t* rows_ = nullptr;
    int filled_ = 0;
};

}  // namespace

std::unique_ptr<Waterfall> Waterfall::create(const WaterfallConfig& config)
{
    return std::make_unique<CudaWaterfall>(config);
}

}  // namespace radio
