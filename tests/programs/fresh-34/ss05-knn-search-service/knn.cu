#include "knn.cuh"

#include <cfloat>
#include <string>

namespace knn {

void ensure(cudaError_t e, char const* what)
{
  if (e != cudaSuccess) throw std::runtime_error(std::string(cudaGetErrorName(e)) + " " + what);
}

namespace {

struct sq_diff {
  __device__ static float step(float acc, float a, float b) { return acc + (a - b) * (a - b); }
};
struct abs_diff {
  __device__ static float step(float acc, float a, float b) { return acc + fabsf(a - b); }
};
struct neg_dot {
  __device__ static float step(float acc, float a, float b) { return acc - a * b; }
};

template <class Step>
__global__ void scan(search_args a)
{
  __shared__ float dist[128];
  __shared__ int row[128];
  float const* q = a.queries + static_cast<std::size_t>(blockIdx.x) * a.dim;
  float best     = FLT_MAX;
  int who        = -1;
  for (int r = threadIdx.x; r < a.rows; r += blockDim.x) {
    float acc = 0;
    for (int d = 0; d < a.dim; ++d) acc = Step::step(acc, a.base[static_cast<std::size_t>(r) * a.dim + d], q[d]);
    if (acc < best) {
      best = acc;
      who  = r;
    }
  }
  dist[threadIdx.x] = best;
  row[threadIdx.x]  = who;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w /= 2) {
    if (threadIdx.x < w && dist[threadIdx.x + w] < dist[threadIdx.x]) {
      dist[threadIdx.x] = dist[threadIdx.x + w];
      row[threadIdx.x]  = row[threadIdx.x + w];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) a.best[blockIdx.x] = row[0];
}

template <class Step>
void launch_scan(search_args const& a, cudaStream_t s)
{
  if (a.nq == 0) return;
  scan<Step><<<a.nq, 128, 0, s>>>(a);
  ensure(cudaGetLastError(), "scan");
}

}  // namespace

void l2::launch(search_args const& a, cudaStream_t s) const { launch_scan<sq_diff>(a, s); }
void l1::launch(search_args const& a, cudaStream_t s) const { launch_scan<abs_diff>(a, s); }
void inner_product::launch(search_args const& a, cudaStream_t s) const { launch_scan<neg_dot>(a, s); }

flat_index::flat_index(int dim, metric m) : dim_(dim), metric_(std::move(m)) {}

flat_index::~flat_index()
{
  cudaDeviceSynchronize();
  cudaFree(base_);
}

void flat_index::add(std::vector<float> const& rows)
{
  int const more = static_cast<int>(rows.size()) / dim_;
  float* grown   = nullptr;
  auto const old = static_cast<std::size_t>(rows_) * dim_;
  flush();
  ensure(cudaMalloc(&grown, (old + rows.size()) * sizeof(float)), "grow");
  if (old) ensure(cudaMemcpy(grown, base_, old * sizeof(float), cudaMemcpyDeviceToDevice), "move");
  ensure(cudaMemcpy(grown + old, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice), "rows");
  ensure(cudaDeviceSynchronize(), "add");
  ensure(cudaFree(base_), "old rows");
  base_ = grown;
  rows_ += more;
}

void flat_index::search_async(float const* queries, int nq, int* best, cudaStream_t stream, std::function<void(int)> on_done)
{
  metric_.launch({base_, queries, rows_, dim_, nq, best}, stream);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++stats_.submitted;
    active_.insert(stream);
  }
  auto t = std::make_unique<ticket>(ticket{this, stream, nq, std::move(on_done)});
  ensure(cudaLaunchHostFunc(stream, &flat_index::completed, t.get()), "completion");
  t.release();
}

void CUDART_CB flat_index::completed(void* raw)
{
  std::unique_ptr<ticket> t(static_cast<ticket*>(raw));
  if (t->on_done) t->on_done(t->nq);
  std::lock_guard<std::mutex> lock(t->index->mutex_);
  ++t->index->stats_.completed;
  ++t->index->stats_.per_stream[t->stream];
}

void flat_index::flush()
{
  std::lock_guard<std::mutex> lock(mutex_);
  for (cudaStream_t s : active_) ensure(cudaStreamSynchronize(s), "flush");
  active_.clear();
}

search_stats flat_index::stats() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

}  // namespace knn
