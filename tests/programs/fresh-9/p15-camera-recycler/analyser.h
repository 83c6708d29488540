#pragma once
#include "frame_pool.h"

namespace cam {

using StatsHandler = std::function<void(int frame, const Stats&)>;

class Analyser {
  public:
    Analyser(std::size_t pixels, StatsHandler handler);
    ~Analyser();
    Analyser(const Analyser&) = delete;

    void analyse(std::shared_ptr<Frame> frame);
    void drain();

  private:
    std::size_t pixels_;
    StatsHandler handler_;
    cudaStream_t stream_ = nullptr;
    std::uint32_t* image_ = nullptr;
    Stats* stats_ = nullptr;
};

}  // namespace cam
