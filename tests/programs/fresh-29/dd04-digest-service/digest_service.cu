#include "digest_service.h"

#include <cstring>
#include <thread>

namespace digest {

namespace {

__global__ void __launch_bounds__(kThreads) serve(Board *board) {
  __shared__ Job job;
  __shared__ unsigned long long total;
  __shared__ int live;

  for (unsigned t = blockIdx.x;; t += gridDim.x) {
    volatile Cell *cell = &board->cells[t % kCells];
    if (threadIdx.x == 0) {
      for (;;) {
        const unsigned quit = *const_cast<volatile unsigned *>(&board->quit);
        __threadfence_system();
        if (cell->posted == t + 1) {
          __threadfence_system();
          job.data = cell->job.data;
          job.count = cell->job.count;
          job.salt = cell->job.salt;
          job.answer = cell->job.answer;
          total = 0;
          live = 1;
          break;
        }
        if (quit) {
          live = 0;
          break;
        }
        __nanosleep(200);
      }
    }
    __syncthreads();
    if (!live) return;

    const volatile unsigned *data = job.data;
    unsigned long long mine = 0;
    for (unsigned i = threadIdx.x; i < job.count; i += blockDim.x)
      mine += static_cast<unsigned long long>(data[i] ^ job.salt) * (i % 31 + 1);
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
      *const_cast<volatile unsigned long long *>(job.answer) = total;
      __threadfence_system();
      cell->done = t + 1;
    }
    __syncthreads();
  }
}

unsigned load(const unsigned *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
void store(unsigned *p, unsigned v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }

bool reached(unsigned have, unsigned want) { return static_cast<int>(have - want) >= 0; }

} /* namespace */

Service::Service() : board_(nullptr), stream_(nullptr), up_(false), next_(0) {}

Service::~Service() {
  stop();
  if (stream_) cudaStreamDestroy(stream_);
  if (board_) cudaFreeHost(board_);
}

cudaError_t Service::prepare(const void *kernel) {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel);
}

cudaError_t Service::launch() {
  serve<<<kServers, kThreads, 0, stream_>>>(board_);
  return cudaGetLastError();
}

cudaError_t Service::start() {
  cudaError_t e;
  if (up_) return cudaSuccess;
  if (!board_) {
    void *p = nullptr;
    e = cudaHostAlloc(&p, sizeof(Board), cudaHostAllocMapped | cudaHostAllocPortable);
    if (e != cudaSuccess) return e;
    board_ = static_cast<Board *>(p);
    e = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (e != cudaSuccess) return e;
  }
  std::memset(static_cast<void *>(board_), 0, sizeof(Board));
  next_ = 0;

  /* One empty shift. */
  store(&board_->quit, 1);
  e = launch();
  if (e != cudaSuccess) return e;
  e = cudaStreamSynchronize(stream_);
  if (e != cudaSuccess) return e;

  store(&board_->quit, 0);
  e = launch();
  up_ = e == cudaSuccess;
  return e;
}

Service::Ticket Service::post(const Job &job) {
  std::lock_guard<std::mutex> hold(mutex_);
  const Ticket t = next_++;
  Cell *cell = &board_->cells[t % kCells];
  if (t >= kCells)
    while (!reached(load(&cell->done), t - kCells + 1)) std::this_thread::yield();
  cell->job = job;
  store(&cell->posted, t + 1);
  return t;
}

void Service::wait(Ticket t) {
  Cell *cell = &board_->cells[t % kCells];
  while (!reached(load(&cell->done), t + 1)) std::this_thread::yield();
}

cudaError_t Service::stop() {
  if (!up_) return cudaSuccess;
  std::lock_guard<std::mutex> hold(mutex_);
  const Ticket first = next_ > kCells ? next_ - kCells : 0;
  for (Ticket t = first; t != next_; ++t) wait(t);
  store(&board_->quit, 1);
  up_ = false;
  return cudaStreamSynchronize(stream_);
}

} /* namespace digest */
