#include "galerkin_solver.hpp"

#include <cmath>

namespace galerkin {
namespace {

constexpr int kBlock = 256, kRing = 4, kLag = 2;

// The operator of a level is scale * tridiag(-1, 2, -1).
__device__ double residual_at(const double *x, const double *b, int i, int n, double scale) {
  const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
  return b[i] - scale * (2.0 * x[i] - left - right);
}

__global__ void jacobi(const double *x, const double *b, double *out, int n, double scale, double omega) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = x[i] + omega * residual_at(x, b, i, n, scale) / (2.0 * scale);
}

__global__ void residual(const double *x, const double *b, double *r, int n, double scale) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) r[i] = residual_at(x, b, i, n, scale);
}

__global__ void restrict_to(const double *r, double *coarse, int n) {
  const int j = blockIdx.x * kBlock + threadIdx.x;
  if (j < n) coarse[j] = 0.5 * r[2 * j] + r[2 * j + 1] + 0.5 * r[2 * j + 2];
}

__global__ void prolong_add(double *x, const double *coarse, int n, int coarse_n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const int j = i / 2;
  if (i % 2 == 1) x[i] += coarse[j];
  else x[i] += 0.5 * ((j > 0 ? coarse[j - 1] : 0.0) + (j < coarse_n ? coarse[j] : 0.0));
}

__global__ void norm2(const double *r, double *norm, int n) {
  __shared__ double part[kBlock];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += kBlock) sum += r[i] * r[i];
  part[threadIdx.x] = sum;
  for (int width = kBlock / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) *norm = sqrt(part[0]);
}

int blocks(int n) { return (n + kBlock - 1) / kBlock; }

class Multigrid final : public Solver {
 public:
  Multigrid(Resources &resources, const SolverConfig &config) : stream_(resources.stream()), config_(config) {
    GK_CHECK(cudaMallocHost(reinterpret_cast<void **>(&norms_), kRing * sizeof(double)));
    for (auto &e : norm_ready_) GK_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  }
  ~Multigrid() override {
    cudaStreamSynchronize(stream_);
    for (auto e : norm_ready_) cudaEventDestroy(e);
    cudaFreeHost(norms_);
  }

  void setup(int unknowns) override {
    double scale = 1.0;
    for (int n = unknowns; n >= 1; n = (n - 1) / 2, scale *= 0.5) levels_.push_back({Vector(n), Vector(n), scale});
    staging_ = std::make_unique<Staging>(unknowns);
    SharedWorkspace::instance().reserve(unknowns + 1);
  }

  void upload_rhs(const std::vector<double> &rhs) override { staging_->send(rhs, levels_[0].b.raw(), stream_); }

  SolveStatus solve() override {
    SolveStatus status;
    double first = 0;
    GK_CHECK(cudaMemsetAsync(levels_[0].x.raw(), 0, levels_[0].x.size() * sizeof(double), stream_));
    for (int iter = 0; iter < config_.max_iters + kLag; ++iter) {
      enqueue_norm(iter % kRing);
      if (iter >= kLag) {
        const int slot = (iter - kLag) % kRing;
        GK_CHECK(cudaEventSynchronize(norm_ready_[slot]));
        if (iter == kLag) first = norms_[slot];
        status.converged = norms_[slot] <= config_.tolerance * first;
        if (status.converged) break;
      }
      cycle(0);
      ++status.iterations;
    }
    return status;
  }

  std::vector<double> download_solution() override {
    const Vector &x = levels_[0].x;
    std::vector<double> host(x.size());
    GK_CHECK(cudaMemcpyAsync(host.data(), x.raw(), host.size() * sizeof(double), cudaMemcpyDeviceToHost, stream_));
    GK_CHECK(cudaStreamSynchronize(stream_));
    return host;
  }

 private:
  struct Level {
    Vector x, b;
    double scale;
  };

  void smooth(Level &l, int sweeps, double omega) {
    const SharedWorkspace::Lease scratch(stream_);
    const int n = l.x.size();
    for (int s = 0; s < sweeps; ++s) {
      jacobi<<<blocks(n), kBlock, 0, stream_>>>(l.x.raw(), l.b.raw(), scratch.data(), n, l.scale, omega);
      GK_CHECK(cudaMemcpyAsync(l.x.raw(), scratch.data(), n * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
    }
  }

  void cycle(size_t depth) {
    Level &l = levels_[depth];
    const int n = l.x.size();
    if (depth + 1 == levels_.size()) return smooth(l, 1, 1.0);
    Level &coarse = levels_[depth + 1];
    smooth(l, config_.presweeps, config_.omega);
    {
      const SharedWorkspace::Lease scratch(stream_);
      residual<<<blocks(n), kBlock, 0, stream_>>>(l.x.raw(), l.b.raw(), scratch.data(), n, l.scale);
      restrict_to<<<blocks(coarse.b.size()), kBlock, 0, stream_>>>(scratch.data(), coarse.b.raw(), coarse.b.size());
    }
    GK_CHECK(cudaMemsetAsync(coarse.x.raw(), 0, coarse.x.size() * sizeof(double), stream_));
    cycle(depth + 1);
    prolong_add<<<blocks(n), kBlock, 0, stream_>>>(l.x.raw(), coarse.x.raw(), n, coarse.x.size());
    smooth(l, config_.postsweeps, config_.omega);
    GK_CHECK(cudaGetLastError());
  }

  void enqueue_norm(int slot) {
    Level &l = levels_[0];
    const int n = l.x.size();
    const SharedWorkspace::Lease scratch(stream_);
    residual<<<blocks(n), kBlock, 0, stream_>>>(l.x.raw(), l.b.raw(), scratch.data(), n, l.scale);
    norm2<<<1, kBlock, 0, stream_>>>(scratch.data(), scratch.data() + n, n);
    GK_CHECK(cudaMemcpyAsync(norms_ + slot, scratch.data() + n, sizeof(double), cudaMemcpyDeviceToHost, stream_));
    GK_CHECK(cudaEventRecord(norm_ready_[slot], stream_));
  }

  cudaStream_t stream_;
  SolverConfig config_;
  std::vector<Level> levels_;
  std::unique_ptr<Staging> staging_;
  double *norms_ = nullptr;
  std::array<cudaEvent_t, kRing> norm_ready_{};
};

}  // namespace

std::unique_ptr<Solver> make_multigrid(Resources &resources, const SolverConfig &config) {
  return std::make_unique<Multigrid>(resources, config);
}

}  // namespace galerkin
