#include "resident.hpp"

#include <atomic>
#include <thread>

#include "device_array.hpp"

namespace rescore::detail {
namespace {

constexpr int loop_threads = 1024;

template <typename T>
__device__ T peek(T const& place)
{
  return *const_cast<T const volatile*>(&place);
}

__device__ void dot_rows(request const& r)
{
  int const lane = threadIdx.x & 31;
  for (int row = threadIdx.x / 32; row < r.rows; row += loop_threads / 32) {
    float const* x = r.in + static_cast<std::size_t>(row) * r.width;
    float s        = 0.f;
    for (int c = lane; c < r.width; c += 32) s += peek(x[c]) * peek(r.weights[c]);
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
    if (lane == 0) r.out[row] = s;
  }
}

__global__ void __launch_bounds__(loop_threads) attend(mailbox* box, unsigned seen)
{
  __shared__ request order;
  for (;;) {
    if (threadIdx.x == 0) {
      while (peek(box->posted) == seen) __nanosleep(200);
      __threadfence_system();
      order.what    = peek(box->order.what);
      order.rows    = peek(box->order.rows);
      order.width   = peek(box->order.width);
      order.in      = peek(box->order.in);
      order.weights = peek(box->order.weights);
      order.out     = peek(box->order.out);
    }
    ++seen;
    __syncthreads();
    bool const last = order.what == op::leave;
    if (!last) dot_rows(order);
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
      *const_cast<unsigned volatile*>(&box->finished) = seen;
      __threadfence_system();
    }
    if (last) return;
  }
}

}  // namespace

resident::resident()
{
  verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  verify(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(mailbox), cudaHostAllocMapped));
  *box_ = {};
  verify(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box_on_device_), box_, 0));
}

resident::~resident()
{
  leave();
  cudaFreeHost(box_);
  cudaStreamDestroy(stream_);
}

void resident::enter()
{
  if (on_device_) return;
  attend<<<1, loop_threads, 0, stream_>>>(box_on_device_, box_->posted);
  verify(cudaGetLastError());
  on_device_ = true;
}

void resident::leave()
{
  if (!on_device_) return;
  post({op::leave, 0, 0, nullptr, nullptr, nullptr});
  cudaStreamSynchronize(stream_);
  on_device_ = false;
}

unsigned resident::post(request const& r)
{
  box_->order = r;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  unsigned const ticket                           = box_->posted + 1;
  *const_cast<unsigned volatile*>(&box_->posted) = ticket;
  return ticket;
}

void resident::call(request const& r)
{
  enter();
  unsigned const ticket = post(r);
  while (*const_cast<unsigned volatile*>(&box_->finished) != ticket) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace rescore::detail
