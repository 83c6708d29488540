#include "bench.h"

#include <chrono>
#include <cmath>

namespace xf {

namespace {

using Clock = std::chrono::steady_clock;

cudaStream_t open_stream() {
    cudaStream_t stream = nullptr;
    demand(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

float signal(std::size_t i) {
    return static_cast<float>(i % 16);
}

}  // namespace

Bench::Bench(const BenchConfig& config) : config_(config), stream_(open_stream()), cache_(stream_) {
    const std::size_t count = static_cast<std::size_t>(config.shape.length) * config.shape.batch;
    std::vector<float> samples(count);
    for (std::size_t i = 0; i < count; ++i) samples[i] = signal(i);
    demand(cudaMalloc(reinterpret_cast<void**>(&in_), count * sizeof(float)));
    demand(cudaMalloc(reinterpret_cast<void**>(&out_), count * sizeof(float)));
    demand(cudaMemcpy(in_, samples.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    demand(cudaDeviceSynchronize());
}

Bench::~Bench() {
    cudaStreamSynchronize(stream_);
    cudaFree(out_);
    cudaFree(in_);
    cudaStreamDestroy(stream_);
}

void Bench::pass(const Shape& shape) {
    cache_.lookup(shape).execute(in_, out_, shape.batch, stream_);
}

Report Bench::measure() {
    Shape warm = config_.shape;
    warm.batch = config_.warmup_batch;
    for (int i = 0; i < config_.warmup_passes; ++i) pass(warm);
    demand(cudaStreamSynchronize(stream_));

    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < config_.passes; ++i) pass(config_.shape);
    demand(cudaStreamSynchronize(stream_));
    Report report;
    report.ms_per_pass = ms_since(begin) / config_.passes;
    report.signals_per_second = 1000.0 * config_.shape.batch / report.ms_per_pass;
    return report;
}

double Bench::single_ms() {
    const Clock::time_point begin = Clock::now();
    pass(config_.shape);
    demand(cudaStreamSynchronize(stream_));
    return ms_since(begin);
}

int Bench::verify() const {
    const int length = config_.shape.length;
    std::vector<float> out(static_cast<std::size_t>(length) * config_.shape.batch);
    demand(cudaMemcpy(out.data(), out_, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float twiddle = 1.0f + static_cast<float>((i % length) % 8) * 0.125f;
        if (std::fabs(out[i] - signal(i) * twiddle) > 1e-4f) ++wrong;
    }
    return wrong;
}

}  // namespace xf
