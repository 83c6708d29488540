#pragma once
#include "workspace_pool.h"

namespace relax {

struct SolverConfig {
  int queues = 2;
  int cells = 1 << 14;
  int temporaries = 3;
};

// Jacobi smoothing of 1-D fields with fixed ends.
class Solver {
 public:
  explicit Solver(const SolverConfig& config);

  void smooth(float* field, int sweeps, int queue);
  void finish() { ctx_.quiesce(); }

  DeviceContext& context() { return ctx_; }
  const SolverConfig& config() const { return config_; }

 private:
  SolverConfig config_;
  WorkspacePool pool_;
  DeviceContext ctx_;
};

}  // namespace relax
