#include "comm.h"

#include "detail/kernels.cuh"
#include "detail/state.h"

namespace {

constexpr size_t kInitialCount = size_t{1} << 18;
cudaError_t g_last_error = cudaSuccess;

#define LC_CUDA_TRY(call)                 \
  do {                                    \
    const cudaError_t e_ = (call);        \
    if (e_ != cudaSuccess) {              \
      g_last_error = e_;                  \
      return LC_CUDA;                     \
    }                                     \
  } while (0)

lc_status launch(const lc::pending_op& op, const lc::clique& clique)
{
  lc::reduce_args args{};
  for (const lc::pending_op& peer : clique.queue) args.send[peer.comm->rank] = peer.send;
  args.recv = op.recv;
  args.accumulator = op.comm->scratch.data;
  args.counter = clique.counter;
  args.round = clique.round;
  args.ranks = clique.ranks;
  args.count = op.count;
  lc::all_reduce_kernel<<<1, 1024, 0, op.stream>>>(args);
  LC_CUDA_TRY(cudaGetLastError());
  return LC_OK;
}

}  // namespace

cudaError_t lc::workspace::reserve(size_t count)
{
  if (count <= capacity) return cudaSuccess;
  if (data != nullptr) {
    const cudaError_t e = cudaFree(data);
    if (e != cudaSuccess) return e;
    data = nullptr;
  }
  capacity = count;
  return cudaMalloc(reinterpret_cast<void**>(&data), count * sizeof(double));
}

void lc::workspace::release()
{
  cudaFree(data);
  data = nullptr;
  capacity = 0;
}

lc_status lc_comm_init_all(lc_comm_t* comms, int ranks)
{
  if (ranks < 1 || ranks > LC_MAX_RANKS) return LC_INVALID;
  auto clique = std::make_shared<lc::clique>();
  clique->ranks = ranks;
  LC_CUDA_TRY(cudaMalloc(reinterpret_cast<void**>(&clique->counter), sizeof(unsigned)));
  LC_CUDA_TRY(cudaMemset(clique->counter, 0, sizeof(unsigned)));
  for (int r = 0; r < ranks; ++r) {
    comms[r] = new lc_comm;
    comms[r]->rank = r;
    comms[r]->clique = clique;
    LC_CUDA_TRY(comms[r]->scratch.reserve(kInitialCount));
  }
  LC_CUDA_TRY(cudaDeviceSynchronize());
  return LC_OK;
}

lc_status lc_comm_destroy_all(lc_comm_t* comms, int ranks)
{
  LC_CUDA_TRY(cudaFree(comms[0]->clique->counter));
  for (int r = 0; r < ranks; ++r) {
    comms[r]->scratch.release();
    delete comms[r];
    comms[r] = nullptr;
  }
  return LC_OK;
}

lc_status lc_group_start(lc_comm_t comm)
{
  if (comm->clique->grouping) return LC_INVALID;
  comm->clique->grouping = true;
  comm->clique->queue.clear();
  return LC_OK;
}

lc_status lc_all_reduce(lc_comm_t comm, const float* send, float* recv, size_t count,
                        cudaStream_t stream)
{
  if (!comm->clique->grouping || send == recv) return LC_INVALID;
  comm->clique->queue.push_back({comm, send, recv, count, stream});
  return LC_OK;
}

lc_status lc_group_end(lc_comm_t comm)
{
  lc::clique& clique = *comm->clique;
  clique.grouping = false;
  if (clique.queue.size() != static_cast<size_t>(clique.ranks)) return LC_INVALID;
  for (const lc::pending_op& op : clique.queue) {
    LC_CUDA_TRY(op.comm->scratch.reserve(op.count));
    const lc_status status = launch(op, clique);
    if (status != LC_OK) return status;
  }
  ++clique.round;
  return LC_OK;
}

cudaError_t lc_last_cuda_error(void) { return g_last_error; }
