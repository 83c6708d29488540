#include "device.hpp"

namespace field {

namespace {

template <class F>
__global__ void each(int n, F f)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <class F>
void launch(int n, F f)
{
  each<<<64, 128, 0, device::current()>>>(n, f);
  must(cudaGetLastError());
}

struct assign {
  int* d;
  int v;
  __device__ void operator()(int i) const { d[i] = (v + i) % 1000; }
};
struct gather {
  int const* d;
  int* t;
  int n, m;
  __device__ void operator()(int i) const { t[i] = (d[(i + n - 1) % n] + d[i] + d[(i + 1) % n]) % m; }
};
struct store {
  int* d;
  int const* t;
  __device__ void operator()(int i) const { d[i] = t[i]; }
};
struct plus {
  int* d;
  int const* o;
  __device__ void operator()(int i) const { d[i] += o[i]; }
};
struct accumulate {
  int const* d;
  unsigned long long* sum;
  __device__ void operator()(int i) const { atomicAdd(sum, static_cast<unsigned long long>(d[i])); }
};

}  // namespace

grid_field::grid_field(int n) : n_(n), data_(static_cast<int*>(the_arena().take(n * sizeof(int)))) {}

grid_field::~grid_field()
{
  cudaDeviceSynchronize();
  the_arena().give(data_);
}

void grid_field::set(int value) { launch(n_, assign{data_, value}); }

void grid_field::smear(int m)
{
  scratch<int> tmp(n_);
  launch(n_, gather{data_, tmp.get(), n_, m});
  launch(n_, store{data_, tmp.get()});
}

void grid_field::add(grid_field const& other) { launch(n_, plus{data_, other.data_}); }

long long grid_field::total() const
{
  scratch<unsigned long long> sum(1);
  unsigned long long host = 0;
  cudaStream_t const s    = device::current();
  must(cudaMemsetAsync(sum.get(), 0, sizeof host, s));
  launch(n_, accumulate{data_, sum.get()});
  must(cudaMemcpyAsync(&host, sum.get(), sizeof host, cudaMemcpyDeviceToHost, s));
  must(cudaStreamSynchronize(s));
  return static_cast<long long>(host);
}

std::vector<int> grid_field::download() const
{
  std::vector<int> h(n_);
  must(cudaMemcpyAsync(h.data(), data_, n_ * sizeof(int), cudaMemcpyDeviceToHost, device::current()));
  must(cudaStreamSynchronize(device::current()));
  return h;
}

}  // namespace field
