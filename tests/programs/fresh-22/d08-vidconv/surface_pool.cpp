#include "surface_pool.hpp"

#include <utility>

namespace vidconv {

SurfacePtr Surface::make(std::size_t bytes) {
  void* data = nullptr;
  if (cudaMalloc(&data, bytes) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return SurfacePtr(new Surface(static_cast<unsigned char*>(data), bytes));
}

Surface::~Surface() {
  if (stream_) cudaStreamSynchronize(stream_);
  cudaFree(data_);
}

SurfacePool::~SurfacePool() {
  std::unique_lock<std::mutex> lock(mutex_);
  returned_.wait(lock, [this] { return out_ == 0; });
}

void SurfacePool::reconfigure(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes == bytes_) return;
  bytes_ = bytes;
  idle_.clear();
}

SurfacePtr SurfacePool::acquire(cudaStream_t stream) {
  SurfacePtr surface;
  std::vector<SurfacePtr> stale;
  std::size_t bytes = 0;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [this] { return out_ < limit_; });
    while (!idle_.empty() && !surface) {
      SurfacePtr candidate = std::move(idle_.back());
      idle_.pop_back();
      if (candidate->bytes() == bytes_) {
        surface = std::move(candidate);
      } else {
        stale.push_back(std::move(candidate));
      }
    }
    ++out_;
    bytes = bytes_;
  }
  if (!surface) surface = Surface::make(bytes);
  if (!surface) {
    std::lock_guard<std::mutex> lock(mutex_);
    --out_;
    returned_.notify_one();
    return nullptr;
  }
  surface->attach(stream);
  return surface;
}

Status SurfacePool::retire(SurfacePtr surface, cudaStream_t stream) {
  if (!surface) return Status::bad_argument;
  surface->attach(stream);
  auto ticket = std::make_unique<Ticket>(Ticket{this, std::move(surface)});
  if (cudaLaunchHostFunc(stream, &SurfacePool::on_passed, ticket.get()) != cudaSuccess) {
    ticket->surface.reset();
    std::lock_guard<std::mutex> lock(mutex_);
    --out_;
    returned_.notify_all();
    return Status::cuda_error;
  }
  ticket.release();
  return Status::ok;
}

void CUDART_CB SurfacePool::on_passed(void* arg) {
  std::unique_ptr<Ticket> ticket(static_cast<Ticket*>(arg));
  ticket->pool->take_back(std::move(ticket->surface));
}

void SurfacePool::take_back(SurfacePtr surface) {
  std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(surface));
  --out_;
  returned_.notify_all();
}

std::size_t SurfacePool::idle() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return idle_.size();
}

}  // namespace vidconv
