#include "mbox.h"

#include "resident.cuh"

#include <cstring>
#include <memory>
#include <thread>

#define MBOX_TRY(call)                      \
  do {                                      \
    const cudaError_t e_ = (call);          \
    if (e_ != cudaSuccess) return e_;       \
  } while (0)

struct mbox_service {
  int size = 0;
  uint32_t next = 0;
  mbox::Mailbox* box = nullptr;
  mbox::Mailbox* d_box = nullptr;
  int* table = nullptr;
  int* copy = nullptr;
  int* staging = nullptr;
  cudaStream_t service = nullptr;
  cudaStream_t side = nullptr;
  bool resident = false;

  ~mbox_service() {
    if (resident) {
      __atomic_store_n(&box->stop, 1u, __ATOMIC_RELEASE);
      cudaStreamSynchronize(service);
    }
    cudaFree(table);
    cudaFree(copy);
    cudaFreeHost(staging);
    cudaFreeHost(box);
    if (service) cudaStreamDestroy(service);
    if (side) cudaStreamDestroy(side);
  }

  uint32_t handled() const { return __atomic_load_n(&box->handled, __ATOMIC_ACQUIRE); }

  void wait_handled(uint32_t count) const {
    while (static_cast<int32_t>(handled() - count) < 0) std::this_thread::yield();
  }
};

static cudaError_t load(const void* kernel) {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, kernel);
}

static cudaError_t start(mbox_service* m, const mbox_config* config) {
  m->size = static_cast<int>(config->table_size);
  const size_t bytes = config->table_size * sizeof(int);
  MBOX_TRY(cudaStreamCreateWithFlags(&m->service, cudaStreamNonBlocking));
  MBOX_TRY(cudaStreamCreateWithFlags(&m->side, cudaStreamNonBlocking));
  MBOX_TRY(cudaMalloc(reinterpret_cast<void**>(&m->table), bytes));
  MBOX_TRY(cudaMalloc(reinterpret_cast<void**>(&m->copy), bytes));
  MBOX_TRY(cudaMallocHost(reinterpret_cast<void**>(&m->staging), bytes));
  MBOX_TRY(cudaHostAlloc(reinterpret_cast<void**>(&m->box), sizeof(mbox::Mailbox), cudaHostAllocMapped));
  MBOX_TRY(cudaHostGetDevicePointer(reinterpret_cast<void**>(&m->d_box), m->box, 0));
  std::memset(static_cast<void*>(m->box), 0, sizeof(mbox::Mailbox));
  MBOX_TRY(cudaMemsetAsync(m->table, 0, bytes, m->service));
  MBOX_TRY(cudaStreamSynchronize(m->service));

  MBOX_TRY(load(reinterpret_cast<const void*>(mbox::resident_kernel)));
  MBOX_TRY(load(reinterpret_cast<const void*>(mbox::gather_kernel)));
  for (int k = 0; k < config->client_kernel_count; ++k) MBOX_TRY(load(config->client_kernels[k]));

  mbox::resident_kernel<<<1, mbox::kThreads, 0, m->service>>>(m->d_box, m->table, m->size);
  MBOX_TRY(cudaGetLastError());
  m->resident = true;
  return cudaSuccess;
}

extern "C" {

cudaError_t mbox_open(mbox_t* out, const mbox_config* config) {
  auto m = std::make_unique<mbox_service>();
  MBOX_TRY(start(m.get(), config));
  *out = m.release();
  return cudaSuccess;
}

cudaError_t mbox_post(mbox_t m, mbox_op op, int operand, uint32_t* ticket) {
  if (m->next >= mbox::kSlots) m->wait_handled(m->next - mbox::kSlots + 1);
  mbox::Message& slot = m->box->slots[m->next % mbox::kSlots];
  slot.op = op;
  slot.operand = operand;
  ++m->next;
  __atomic_store_n(&m->box->posted, m->next, __ATOMIC_RELEASE);
  if (ticket) *ticket = m->next;
  return cudaSuccess;
}

cudaError_t mbox_wait(mbox_t m, uint32_t ticket, long long* reply) {
  m->wait_handled(ticket);
  if (reply) *reply = m->box->slots[(ticket - 1) % mbox::kSlots].reply;
  return cudaSuccess;
}

cudaError_t mbox_snapshot(mbox_t m, int* out) {
  const size_t bytes = m->size * sizeof(int);
  m->wait_handled(m->next);
  mbox::gather_kernel<<<8, 128, 0, m->side>>>(m->table, m->copy, m->size);
  MBOX_TRY(cudaGetLastError());
  MBOX_TRY(cudaMemcpyAsync(m->staging, m->copy, bytes, cudaMemcpyDeviceToHost, m->side));
  MBOX_TRY(cudaStreamSynchronize(m->side));
  std::memcpy(out, m->staging, bytes);
  return cudaSuccess;
}

cudaError_t mbox_side_stream(mbox_t m, cudaStream_t* out) {
  *out = m->side;
  return cudaSuccess;
}

cudaError_t mbox_table(mbox_t m, const int** out) {
  *out = m->table;
  return cudaSuccess;
}

cudaError_t mbox_close(mbox_t m) {
  delete m;
  return cudaGetLastError();
}

}  // extern "C"
