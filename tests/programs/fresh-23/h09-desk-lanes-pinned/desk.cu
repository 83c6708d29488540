#include "desk.h"

#include <numeric>

namespace desk {
namespace {

__global__ void valueBook(const Option* options, float* values, int count, long long settleNanoseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        values[i] = fmaxf(options[i].spot - options[i].strike, 0.0f);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (static_cast<long long>(now - begin) < settleNanoseconds);
}

}  // namespace

Option quote(int book, int index) {
    return {static_cast<float>(90 + (index * 7 + book) % 41), static_cast<float>(80 + (index + 3 * book) % 37)};
}

float intrinsic(const Option& option) {
    return option.spot > option.strike ? option.spot - option.strike : 0.0f;
}

Lane::Lane(const DeskConfig& config)
    : config_(config),
      quotes_(config.optionsPerBook),
      values_(config.optionsPerBook),
      deviceQuotes_(config.optionsPerBook),
      deviceValues_(config.optionsPerBook) {
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Lane::Lane(Lane&& other) noexcept
    : config_(other.config_),
      stream_(std::exchange(other.stream_, nullptr)),
      quotes_(std::move(other.quotes_)),
      values_(std::move(other.values_)),
      deviceQuotes_(std::move(other.deviceQuotes_)),
      deviceValues_(std::move(other.deviceValues_)),
      book_(std::exchange(other.book_, std::nullopt)) {}

Lane::~Lane() {
    if (!stream_) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

void Lane::submit(int book) {
    book_ = book;
    const int count = static_cast<int>(quotes_.size());
    for (int i = 0; i < count; ++i) quotes_.data()[i] = quote(book, i);
    verify(cudaMemcpyAsync(deviceQuotes_.data(), quotes_.data(), quotes_.bytes(), cudaMemcpyHostToDevice, stream_));
    valueBook<<<config_.blocks, config_.threads, 0, stream_>>>(deviceQuotes_.data(), deviceValues_.data(),
                                                               count, config_.settleNanoseconds);
    verify(cudaGetLastError());
    verify(cudaMemcpyAsync(values_.data(), deviceValues_.data(), values_.bytes(), cudaMemcpyDeviceToHost, stream_));
}

Valuation Lane::collect() {
    verify(cudaStreamSynchronize(stream_));
    const int book = *book_;
    book_.reset();
    return {book, std::accumulate(values_.begin(), values_.end(), 0.0)};
}

Desk::Desk(const DeskConfig& config) {
    lanes_.reserve(config.lanes);
    for (int i = 0; i < config.lanes; ++i) lanes_.emplace_back(config);
}

std::vector<Valuation> Desk::value(int first, int count) {
    std::vector<Valuation> valuations;
    valuations.reserve(count);
    for (int i = 0; i < count; ++i) {
        Lane& lane = lanes_[i % lanes_.size()];
        if (lane.busy()) valuations.push_back(lane.collect());
        lane.submit(first + i);
    }
    for (int i = 0; i < lanes(); ++i) {
        Lane& lane = lanes_[(count + i) % lanes_.size()];
        if (lane.busy()) valuations.push_back(lane.collect());
    }
    return valuations;
}

}  // namespace desk
