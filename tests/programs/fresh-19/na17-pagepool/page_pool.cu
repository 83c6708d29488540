// page_pool.cu - bounded pool of pinned pages for chunked uploads.
//
// acquire() blocks until a page is free. retire() gives the page back once the work
// enqueued so far on the stream has finished; it does not block. Any host thread may
// call any member. Each page acquired must be retired exactly once, and the pool is
// to be destroyed after that. Not for use in stream capture.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace paged {

#define PAGED_CHECK(call) ::paged::detail::raise_if((call), #call)

namespace detail {
inline void raise_if(cudaError_t e, const char* expr) {
  if (e != cudaSuccess)
    throw std::runtime_error(std::string(expr) + " -> " + cudaGetErrorName(e));
}
}  // namespace detail

class PagePool {
 public:
  PagePool(std::size_t page_bytes, int pages) : page_bytes_(page_bytes), total_(pages) {
    if (page_bytes == 0 || pages < 1) throw std::invalid_argument("PagePool");
    PAGED_CHECK(cudaMallocHost(&slab_, page_bytes * pages));
    for (int i = 0; i < pages; ++i)
      free_.push_back(static_cast<char*>(slab_) + page_bytes * i);
  }

  ~PagePool() {
    std::unique_lock<std::mutex> lock(mu_);
    returned_.wait(lock, [this] { return static_cast<int>(free_.size()) == total_; });
    lock.unlock();
    cudaFreeHost(slab_);
  }

  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;

  std::size_t page_bytes() const { return page_bytes_; }

  void* acquire() {
    std::unique_lock<std::mutex> lock(mu_);
    while (free_.empty()) PAGED_CHECK(cudaDeviceSynchronize());
    void* page = free_.back();
    free_.pop_back();
    return page;
  }

  void retire(void* page, cudaStream_t stream) {
    auto ticket = std::make_unique<Ticket>(Ticket{this, page});
    PAGED_CHECK(cudaLaunchHostFunc(stream, &PagePool::on_done, ticket.get()));
    ticket.release();
  }

  // Gives back a page that no stream has been told about.
  void give_back(void* page) {
    std::lock_guard<std::mutex> lock(mu_);
    free_.push_back(page);
    returned_.notify_all();
  }

 private:
  struct Ticket {
    PagePool* pool;
    void* page;
  };

  static void CUDART_CB on_done(void* arg) {
    std::unique_ptr<Ticket> t(static_cast<Ticket*>(arg));
    t->pool->give_back(t->page);
  }

  const std::size_t page_bytes_;
  const int total_;
  void* slab_ = nullptr;
  std::mutex mu_;
  std::condition_variable returned_;
  std::vector<void*> free_;
};

// Copies `bytes` from ordinary host memory to the device, page by page. The source
// may be changed as soon as the call returns; the copy itself is ordered on `stream`.
void upload(PagePool& pool, void* d_dst, const void* src, std::size_t bytes,
            cudaStream_t stream) {
  auto* to = static_cast<char*>(d_dst);
  auto* from = static_cast<const char*>(src);
  while (bytes > 0) {
    const std::size_t step = bytes < pool.page_bytes() ? bytes : pool.page_bytes();
    void* page = pool.acquire();
    std::memcpy(page, from, step);
    cudaError_t e = cudaMemcpyAsync(to, page, step, cudaMemcpyHostToDevice, stream);
    if (e != cudaSuccess) {
      pool.give_back(page);
      PAGED_CHECK(e);
    }
    pool.retire(page, stream);
    to += step;
    from += step;
    bytes -= step;
  }
}

__global__ void widen_u8(const unsigned char* __restrict__ in, float* __restrict__ out,
                         std::size_t n) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * (1.0f / 255.0f);
}

// Uploads 8-bit samples to d_raw and expands them to [0,1] floats in d_out.
void upload_normalized(PagePool& pool, const unsigned char* src, std::size_t n,
                       unsigned char* d_raw, float* d_out, cudaStream_t stream) {
  if (n == 0) return;
  upload(pool, d_raw, src, n, stream);
  widen_u8<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(d_raw, d_out, n);
  PAGED_CHECK(cudaGetLastError());
}

}  // namespace paged
