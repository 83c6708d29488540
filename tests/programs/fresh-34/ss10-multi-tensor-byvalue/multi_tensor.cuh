#pragma once
// Element-wise updates over lists of tensors in one launch.
//
// Every operation is asynchronous with respect to the host and may be recorded by stream capture; a graph made that
// way can be launched any number of times as long as the tensors live. The list itself may be dropped after the call.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace mt {

#define MT_CHECK(expr)                                    \
  do {                                                    \
    cudaError_t mt_err = (expr);                          \
    if (mt_err != cudaSuccess) {                          \
      std::printf("ERROR %s\n", cudaGetErrorName(mt_err)); \
      std::exit(1);                                       \
    }                                                     \
  } while (0)

struct tensor {
  float* data;
  int size;
};

struct entry {
  float* data;
  int size;
  float arg;
};

// As many descriptors as travel with one launch.
struct tensor_chunk {
  static constexpr int capacity = 64;
  entry entries[capacity];
  int size;
};

// Cuts the list from `first` on into the next chunk; returns how many tensors it took.
std::size_t next_chunk(std::vector<tensor> const& list, std::size_t first, float arg, tensor_chunk& out);

template <class Map>
__global__ void apply_kernel(tensor_chunk const chunk, Map map)
{
  entry const e = chunk.entries[blockIdx.y];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e.size; i += gridDim.x * blockDim.x)
    e.data[i] = map(e.data[i], e.arg);
}

template <class Derived>
class multi_tensor_op {
 public:
  void operator()(std::vector<tensor> const& list, float arg, cudaStream_t stream)
  {
    if (list.empty()) return;
    float const prepared = self().prepare(arg);
    for (std::size_t first = 0; first < list.size();) {
      first += next_chunk(list, first, prepared, chunk_);
      dim3 const grid(self().blocks_per_tensor(), chunk_.size);
      apply_kernel<<<grid, 256, 0, stream>>>(chunk_, self().map());
      MT_CHECK(cudaGetLastError());
    }
  }
  float prepare(float arg) const { return arg; }
  int blocks_per_tensor() const { return 8; }

 private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
  tensor_chunk chunk_;
};

struct scale_map {
  __device__ float operator()(float x, float a) const { return x * a; }
};
struct shift_map {
  __device__ float operator()(float x, float a) const { return x + a; }
};
struct clip_map {
  __device__ float operator()(float x, float a) const { return fminf(fmaxf(x, -a), a); }
};

class scale_op : public multi_tensor_op<scale_op> {
 public:
  scale_map map() const { return {}; }
};

class unscale_op : public multi_tensor_op<unscale_op> {
 public:
  float prepare(float arg) const { return 1.0f / arg; }
  scale_map map() const { return {}; }
};

class shift_op : public multi_tensor_op<shift_op> {
 public:
  int blocks_per_tensor() const { return 16; }
  shift_map map() const { return {}; }
};

class clip_op : public multi_tensor_op<clip_op> {
 public:
  clip_map map() const { return {}; }
};

}  // namespace mt
