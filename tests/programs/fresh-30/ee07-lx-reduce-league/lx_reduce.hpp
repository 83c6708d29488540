#ifndef LX_REDUCE_HPP
#define LX_REDUCE_HPP

#include "lx_core.hpp"

namespace lx {
namespace Impl {

enum class TeamOp : int { Stop = 0, Dot = 1, Residual = 2 };

/// Shared with the device: the host fills in an order and raises `posted`, the team answers with
/// `value` and raises `finished`.
struct Mailbox {
  unsigned posted;
  TeamOp op;
  const double* x;
  const double* y;
  unsigned long long n;
  unsigned finished;
  double value;
};

/// A league of thread blocks that stays on the device and serves a mailbox.
class ResidentTeam {
 public:
  explicit ResidentTeam(int league_size);
  ~ResidentTeam();
  ResidentTeam(const ResidentTeam&) = delete;
  ResidentTeam& operator=(const ResidentTeam&) = delete;

  void start(double* scratch, double* partial, unsigned* ticket);
  double execute(TeamOp op, const double* x, const double* y, std::size_t n);
  int league_size() const { return m_league_size; }

 private:
  void post(TeamOp op, const double* x, const double* y, std::size_t n);

  int m_league_size;
  bool m_running = false;
  cudaStream_t m_stream = nullptr;
  View<Mailbox, CudaHostPinnedSpace> m_box;
};

}  // namespace Impl

/// Low latency reductions for iterative solvers: no launch and no copy for each of them.
/// Orders are fenced against the client's space; results come back by value.
class ReduceService {
 public:
  struct Config {
    int league_size = 16;
    std::size_t max_length = std::size_t(1) << 20;
  };

  ReduceService(const Cuda& client, const Config& config);

  double dot(const View<double>& x, const View<double>& y);

  /// Squared norm of b - y; the difference stays available in difference() until the next call.
  double residual(const View<double>& b, const View<double>& y);
  const View<double>& difference() const { return m_scratch; }

 private:
  Cuda m_client;
  Config m_config;
  View<double> m_scratch;
  View<double> m_partial;
  View<unsigned> m_ticket;
  Impl::ResidentTeam m_team;
};

}  // namespace lx

#endif
