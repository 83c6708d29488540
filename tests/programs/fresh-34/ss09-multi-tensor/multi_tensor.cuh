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

inline constexpr int max_tensors = 128;

// Descriptor table of one operation.
class tensor_table {
 public:
  tensor_table();
  ~tensor_table();
  tensor_table(tensor_table const&)            = delete;
  tensor_table& operator=(tensor_table const&) = delete;

  entry const* stage(std::vector<tensor> const& list, float arg, cudaStream_t stream);
  int size() const { return static_cast<int>(host_.size()); }

 private:
  std::vector<entry> host_;
  entry* device_ = nullptr;
};

template <class Map>
__global__ void apply_kernel(entry const* table, Map map)
{
  entry const e = table[blockIdx.y];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e.size; i += gridDim.x * blockDim.x)
    e.data[i] = map(e.data[i], e.arg);
}

template <class Derived>
class multi_tensor_op {
 public:
  void operator()(std::vector<tensor> const& list, float arg, cudaStream_t stream)
  {
    if (list.empty()) return;
    entry const* table = table_.stage(list, self().prepare(arg), stream);
    dim3 const grid(self().blocks_per_tensor(), table_.size());
    apply_kernel<<<grid, 256, 0, stream>>>(table, self().map());
    MT_CHECK(cudaGetLastError());
  }
  float prepare(float arg) const { return arg; }
  int blocks_per_tensor() const { return 8; }

 private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
  tensor_table table_;
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
