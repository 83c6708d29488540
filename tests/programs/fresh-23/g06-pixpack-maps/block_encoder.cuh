#pragma once

#include "codec.hpp"
#include "rate_control.hpp"

#include <array>
#include <type_traits>

namespace pixpack::detail {

struct device_delete {
  void operator()(void* p) const noexcept { cudaFree(p); }
};
struct pinned_delete {
  void operator()(void* p) const noexcept { cudaFreeHost(p); }
};
struct event_delete {
  void operator()(cudaEvent_t e) const noexcept { cudaEventDestroy(e); }
};

using device_floats = std::unique_ptr<float[], device_delete>;
using pinned_floats = std::unique_ptr<float[], pinned_delete>;
using event_handle = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, event_delete>;

inline device_floats make_device_floats(std::size_t n) {
  void* p = nullptr;
  check(cudaMalloc(&p, n * sizeof(float)));
  return device_floats(static_cast<float*>(p));
}
inline pinned_floats make_pinned_floats(std::size_t n) {
  void* p = nullptr;
  check(cudaMallocHost(&p, n * sizeof(float)));
  return pinned_floats(static_cast<float*>(p));
}
inline event_handle make_event() {
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return event_handle(e);
}

/// One 8x8 block for each thread block of 64 threads.
template <class Transform>
__global__ void encode_blocks(const std::uint8_t* pixels, std::size_t pitch, const float* steps, std::int16_t* out) {
  __shared__ float tile[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = static_cast<float>(pixels[(blockIdx.y * 8 + y) * pitch + blockIdx.x * 8 + x]) - 128.0f;
  __syncthreads();
  if (x == 0) Transform::apply(&tile[y][0], 1);
  __syncthreads();
  if (y == 0) Transform::apply(&tile[0][x], 8);
  __syncthreads();
  const std::size_t block = std::size_t(blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * 64 + y * 8 + x] = static_cast<std::int16_t>(rintf(tile[y][x] / steps[block]));
}

template <class Transform>
class block_encoder final : public encoder {
 public:
  block_encoder(int max_width, int max_height) : max_blocks_(std::size_t(max_width / 8) * std::size_t(max_height / 8)) {
    for (slot& s : slots_) {
      s.steps = make_pinned_floats(max_blocks_);
      s.device_steps = make_device_floats(max_blocks_);
      s.done = make_event();
    }
  }

  ~block_encoder() override {
    for (slot& s : slots_) cudaEventSynchronize(s.done.get());
  }

  void encode(const picture& in, const rate& r, std::int16_t* coefficients, cudaStream_t stream) override {
    const dim3 blocks(in.width / 8, in.height / 8);
    const std::size_t count = std::size_t(blocks.x) * blocks.y;
    if (in.width % 8 != 0 || in.height % 8 != 0 || count == 0 || count > max_blocks_)
      throw std::invalid_argument("picture size");

    slot& s = slots_[turn_];
    turn_ = (turn_ + 1) % slots_.size();
    check(cudaEventSynchronize(s.done.get()));
    fill_steps(s.steps.get(), int(blocks.x), int(blocks.y), r);
    check(cudaMemcpyAsync(s.device_steps.get(), s.steps.get(), count * sizeof(float), cudaMemcpyHostToDevice, stream));
    encode_blocks<Transform>
        <<<blocks, dim3(8, 8), 0, stream>>>(in.pixels, in.pitch, s.device_steps.get(), coefficients);
    check(cudaGetLastError());
    check(cudaEventRecord(s.done.get(), stream));
  }

  const char* profile() const noexcept override { return Transform::name; }

 private:
  struct slot {
    pinned_floats steps;
    device_floats device_steps;
    event_handle done;
  };

  std::size_t max_blocks_;
  std::array<slot, 2> slots_;
  std::size_t turn_ = 0;
};

}  // namespace pixpack::detail
