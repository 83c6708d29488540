#pragma once
#include "context.h"

// Histogram equalisation of detector frames. The device part is recorded once and replayed per frame.
class Equaliser {
  public:
    static constexpr int kBins = 256;

    explicit Equaliser(DetectorContext& ctx);
    ~Equaliser();

    void process(const std::uint8_t* frame, std::uint8_t* result);   // both page-locked

  private:
    void record();

    DetectorContext& ctx_;
    BoundArray<std::uint8_t> input_;
    BoundArray<std::uint8_t> output_;
    BoundArray<std::uint32_t> bins_;
    BoundArray<std::uint8_t> curve_;
    cudaGraphExec_t exec_ = nullptr;
};
