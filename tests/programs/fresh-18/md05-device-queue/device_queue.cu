// Device-side job queue: one persistent kernel per queue, jobs posted through mapped memory.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>

#define DQ_SLOTS 16
#define DQ_SLOT_FLOATS 4096

struct dq_job {
  std::uint32_t count;
  float alpha;
};

// Mapped host memory shared with the kernel.
struct dq_mailbox {
  volatile std::uint64_t posted;     // written by the host
  volatile std::uint64_t completed;  // written by the device
  volatile std::uint32_t quit;       // written by the host
  dq_job jobs[DQ_SLOTS];
};

struct dq_queue {
  cudaStream_t worker;
  cudaStream_t copy;
  dq_mailbox* box;
  dq_mailbox* box_dev;
  float* payload;  // DQ_SLOTS * DQ_SLOT_FLOATS
  std::uint64_t next;
};

static __global__ void dq_worker_kernel(dq_mailbox* box, float* payload) {
  __shared__ std::uint64_t limit;
  __shared__ std::uint32_t stop;
  std::uint64_t seq = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      do {
        stop = box->quit;
        limit = box->posted;
      } while (limit == seq && stop == 0);
      __threadfence_system();
    }
    __syncthreads();
    if (limit == seq && stop != 0) return;
    const std::uint64_t end = limit;
    for (; seq < end; ++seq) {
      const volatile dq_job* job = &box->jobs[seq % DQ_SLOTS];
      const std::uint32_t n = job->count;
      const float alpha = job->alpha;
      volatile float* x = payload + (seq % DQ_SLOTS) * DQ_SLOT_FLOATS;
      for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) x[i] = alpha * x[i] * x[i];
      __threadfence_system();
      __syncthreads();
      if (threadIdx.x == 0) box->completed = seq + 1;
    }
    __syncthreads();
  }
}

extern "C" {

int dq_destroy(dq_queue* q) {
  if (!q) return 0;
  if (q->box) {
    q->box->quit = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  if (q->worker) {
    cudaStreamSynchronize(q->worker);
    cudaStreamDestroy(q->worker);
  }
  if (q->copy) cudaStreamDestroy(q->copy);
  if (q->payload) cudaFree(q->payload);
  if (q->box) cudaFreeHost(q->box);
  delete q;
  return 0;
}

int dq_create(dq_queue** out) {
  dq_queue* q = new (std::nothrow) dq_queue();
  if (!q) return -1;
  const std::size_t bytes = sizeof(float) * DQ_SLOTS * DQ_SLOT_FLOATS;
  bool ok = cudaHostAlloc(reinterpret_cast<void**>(&q->box), sizeof(dq_mailbox), cudaHostAllocMapped) == cudaSuccess;
  if (ok) std::memset(static_cast<void*>(q->box), 0, sizeof(dq_mailbox));
  ok = ok && cudaHostGetDevicePointer(reinterpret_cast<void**>(&q->box_dev), q->box, 0) == cudaSuccess;
  ok = ok && cudaMalloc(reinterpret_cast<void**>(&q->payload), bytes) == cudaSuccess;
  ok = ok && cudaStreamCreateWithFlags(&q->worker, cudaStreamNonBlocking) == cudaSuccess;
  ok = ok && cudaStreamCreateWithFlags(&q->copy, cudaStreamNonBlocking) == cudaSuccess;
  if (ok) {
    dq_worker_kernel<<<1, 128, 0, q->worker>>>(q->box_dev, q->payload);
    ok = cudaGetLastError() == cudaSuccess;
  }
  if (!ok) {
    dq_destroy(q);
    return -1;
  }
  *out = q;
  return 0;
}

// Posts a job over `n` floats of host memory; the ticket identifies it. -2: queue full.
int dq_post(dq_queue* q, const float* x, std::uint32_t n, float alpha, std::uint64_t* ticket) {
  if (n > DQ_SLOT_FLOATS) return -1;
  if (q->next - q->box->completed >= DQ_SLOTS) return -2;
  const std::uint64_t slot = q->next % DQ_SLOTS;
  float* dst = q->payload + slot * DQ_SLOT_FLOATS;
  if (cudaMemcpyAsync(dst, x, n * sizeof(float), cudaMemcpyHostToDevice, q->copy) != cudaSuccess) return -1;
  if (cudaStreamSynchronize(q->copy) != cudaSuccess) return -1;
  q->box->jobs[slot].count = n;
  q->box->jobs[slot].alpha = alpha;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  *ticket = q->next++;
  q->box->posted = q->next;
  return 0;
}

// Waits for the job and copies its result out; call before the slot is posted to again.
int dq_fetch(dq_queue* q, std::uint64_t ticket, float* x, std::uint32_t n) {
  while (q->box->completed <= ticket) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const float* src = q->payload + (ticket % DQ_SLOTS) * DQ_SLOT_FLOATS;
  if (cudaMemcpyAsync(x, src, n * sizeof(float), cudaMemcpyDeviceToHost, q->worker) != cudaSuccess) return -1;
  return cudaStreamSynchronize(q->worker) == cudaSuccess ? 0 : -1;
}

}  // extern "C"
