#include <cub/device/device_reduce.cuh>

#include "kmeans.hpp"

namespace clusterkit {
namespace detail {

struct row_range {
  int first;
  int rows;
};

/// A matrix cut in row tiles of one height; what is left over makes a lower tile at the end.
class tile_plan {
 public:
  tile_plan(int rows, int height) : height_(height), full_(rows / height), rest_(rows % height) {}
  int full() const { return full_; }
  int height() const { return height_; }
  bool ragged() const { return rest_ != 0; }
  int count() const { return full_ + (ragged() ? 1 : 0); }
  row_range tile(int i) const { return {i * height_, height_}; }
  row_range last() const { return {full_ * height_, rest_}; }

 private:
  int height_, full_, rest_;
};

__global__ void center_norms(matrix_view c, float* norms)
{
  int const k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= c.rows) return;
  float s = 0.f;
  for (int j = 0; j < c.cols; ++j) s += c.data[k * c.cols + j] * c.data[k * c.cols + j];
  norms[k] = s;
}

__global__ void tile_distances(matrix_view x, row_range r, matrix_view c, float const* norms, float* dist)
{
  int const row = blockIdx.y * blockDim.y + threadIdx.y;
  int const k   = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= r.rows || k >= c.rows) return;
  float const* px = x.data + static_cast<std::size_t>(r.first + row) * x.cols;
  float const* pc = c.data + k * c.cols;
  float dot = 0.f, xx = 0.f;
  for (int j = 0; j < x.cols; ++j) {
    dot += px[j] * pc[j];
    xx += px[j] * px[j];
  }
  dist[row * c.rows + k] = fmaxf(xx + norms[k] - 2.f * dot, 0.f);
}

__global__ void tile_argmin(float const* dist, row_range r, int k_count, int* labels, float* min_dist)
{
  int const row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= r.rows) return;
  float const* d = dist + row * k_count;
  int best       = 0;
  for (int k = 1; k < k_count; ++k)
    if (d[k] < d[best]) best = k;
  labels[r.first + row]   = best;
  min_dist[r.first + row] = d[best];
}

struct tile_job {
  matrix_view x, centers;
  float const* norms;
  int* labels;
  float* min_dist;

  void launch(row_range r, float* dist, cudaStream_t stream) const
  {
    dim3 const block(16, 16);
    dim3 const grid((centers.rows + 15) / 16, (r.rows + 15) / 16);
    tile_distances<<<grid, block, 0, stream>>>(x, r, centers, norms, dist);
    tile_argmin<<<(r.rows + 127) / 128, 128, 0, stream>>>(dist, r, centers.rows, labels, min_dist);
    expects(cudaGetLastError());
  }
};

std::size_t reduce_bytes(int n)
{
  std::size_t bytes = 0;
  expects(cub::DeviceReduce::Sum(nullptr, bytes, static_cast<float*>(nullptr), static_cast<float*>(nullptr), n));
  return bytes;
}

}  // namespace detail

void kmeans_predict(resources const& res,
                    matrix_view x,
                    matrix_view centers,
                    int* labels,
                    float* min_dist,
                    float* inertia,
                    predict_params const& params)
{
  if (x.cols != centers.cols) throw std::invalid_argument("kmeans_predict: widths differ");
  detail::tile_plan const plan(x.rows, params.tile_rows);

  std::size_t const per_slot = static_cast<std::size_t>(plan.height()) * centers.rows;
  std::size_t const norm_len = (centers.rows + 63) / 64 * 64;
  std::size_t sum_bytes      = params.with_inertia ? detail::reduce_bytes(x.rows) : 0;
  std::size_t const sum_len  = (sum_bytes + 255) / 256 * 64;

  float* const norms = res.scratch<float>(norm_len + sum_len + per_slot * res.lane_count());
  float* const sum   = norms + norm_len;
  float* const dist  = sum + sum_len;

  detail::center_norms<<<(centers.rows + 63) / 64, 64, 0, res.get_stream()>>>(centers, norms);
  expects(cudaGetLastError());

  detail::tile_job const job{x, centers, norms, labels, min_dist};
  if (plan.full() > 0) {
    fan_out fan(res, plan.full());
    for (int i = 0; i < plan.full(); ++i)
      job.launch(plan.tile(i), dist + per_slot * fan.slot(i), fan.stream(i));
    if (plan.ragged())
      job.launch(plan.last(), dist + per_slot * (plan.full() % res.lane_count()), res.get_lane(plan.full()));
  } else {
    job.launch(plan.last(), dist, res.get_stream());
  }

  if (params.with_inertia) {
    expects(cub::DeviceReduce::Sum(sum, sum_bytes, min_dist, inertia, x.rows, res.get_stream()));
  }
}

}  // namespace clusterkit
