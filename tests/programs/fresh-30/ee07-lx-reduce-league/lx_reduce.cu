#include "lx_reduce.hpp"

#include <atomic>
#include <cstring>
#include <thread>

namespace lx {
namespace Impl {
namespace {

constexpr unsigned team_size = 256;

__device__ double team_sum(double v, double* shared) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < team_size / 32 ? shared[threadIdx.x] : 0.0;
  if (threadIdx.x < 32) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;
}

__global__ void serve(volatile Mailbox* box, double* scratch, double* partial, unsigned* ticket) {
  __shared__ TeamOp s_op;
  __shared__ const double* s_x;
  __shared__ const double* s_y;
  __shared__ unsigned long long s_n;
  __shared__ double s_sum[team_size / 32];

  for (unsigned order = 1;; ++order) {
    if (threadIdx.x == 0) {
      while (box->posted != order) __nanosleep(100);
      __threadfence_system();
      s_op = box->op;
      s_x = box->x;
      s_y = box->y;
      s_n = box->n;
    }
    __syncthreads();
    const TeamOp op = s_op;
    if (op == TeamOp::Stop) return;

    double sum = 0.0;
    for (unsigned long long i = blockIdx.x * team_size + threadIdx.x; i < s_n;
         i += (unsigned long long)gridDim.x * team_size) {
      const double x = __ldcg(s_x + i);
      const double y = __ldcg(s_y + i);
      if (op == TeamOp::Dot) {
        sum += x * y;
      } else {
        const double d = x - y;
        __stcg(scratch + i, d);
        sum += d * d;
      }
    }
    sum = team_sum(sum, s_sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      __stcg(partial + blockIdx.x, sum);
      __threadfence();
      if (atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1) {
        double total = 0.0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += __ldcg(partial + b);
        box->value = total;
        __threadfence_system();
        box->finished = order;
      }
    }
    __syncthreads();
  }
}

}  // namespace

void load_reduce_kernels() {
  cudaFuncAttributes attributes;
  LX_SAFE_CALL(cudaFuncGetAttributes(&attributes, serve));
}

ResidentTeam::ResidentTeam(int league_size) : m_league_size(league_size), m_box("mailbox", 1) {
  int device = 0;
  int processors = 0;
  LX_SAFE_CALL(cudaGetDevice(&device));
  LX_SAFE_CALL(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  if (league_size < 1 || league_size > processors / 2) {
    throw std::invalid_argument("lx: league does not fit the device");
  }
  std::memset(m_box.data(), 0, sizeof(Mailbox));
  LX_SAFE_CALL(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking));
}

ResidentTeam::~ResidentTeam() {
  if (m_running) {
    post(TeamOp::Stop, nullptr, nullptr, 0);
    (void)cudaStreamSynchronize(m_stream);
  }
  (void)cudaStreamDestroy(m_stream);
}

void ResidentTeam::start(double* scratch, double* partial, unsigned* ticket) {
  Mailbox* box = nullptr;
  LX_SAFE_CALL(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box), m_box.data(), 0));
  serve<<<m_league_size, team_size, 0, m_stream>>>(box, scratch, partial, ticket);
  LX_SAFE_CALL(cudaGetLastError());
  m_running = true;
}

void ResidentTeam::post(TeamOp op, const double* x, const double* y, std::size_t n) {
  volatile Mailbox* box = m_box.data();
  box->op = op;
  box->x = x;
  box->y = y;
  box->n = n;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  box->posted = box->posted + 1;
}

double ResidentTeam::execute(TeamOp op, const double* x, const double* y, std::size_t n) {
  volatile Mailbox* box = m_box.data();
  post(op, x, y, n);
  const unsigned order = box->posted;
  while (box->finished != order) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return box->value;
}

}  // namespace Impl

ReduceService::ReduceService(const Cuda& client, const Config& config)
    : m_client(client),
      m_config(config),
      m_scratch("reduce scratch", config.max_length),
      m_partial("reduce partial sums", config.league_size),
      m_ticket("reduce ticket", 1),
      m_team(config.league_size) {
  LX_SAFE_CALL(cudaDeviceSynchronize());
  m_team.start(m_scratch.data(), m_partial.data(), m_ticket.data());
}

double ReduceService::dot(const View<double>& x, const View<double>& y) {
  if (x.size() != y.size()) throw std::invalid_argument("lx: dot of different lengths");
  m_client.fence();
  return m_team.execute(Impl::TeamOp::Dot, x.data(), y.data(), x.size());
}

double ReduceService::residual(const View<double>& b, const View<double>& y) {
  if (b.size() != y.size() || b.size() > m_scratch.size()) {
    throw std::invalid_argument("lx: residual of unsuitable lengths");
  }
  m_client.fence();
  return m_team.execute(Impl::TeamOp::Residual, b.data(), y.data(), b.size());
}

}  // namespace lx
