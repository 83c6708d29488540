#include "core.h"

struct FuncSum { __device__ float operator()(float a, float b) const { return a + b; } };
struct FuncMax { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };

template <typename Func>
__global__ void allReduceKernel(xcclKernelArgs args) {
  Func func;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < args.count; i += (size_t)gridDim.x * blockDim.x) {
    float acc = args.send[0][i];
    for (int r = 1; r < args.nRanks; r++) acc = func(acc, args.send[r][i]);
    for (int r = 0; r < args.nRanks; r++) args.recv[r][i] = acc;
  }
}

__global__ void broadcastKernel(xcclKernelArgs args) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < args.count; i += (size_t)gridDim.x * blockDim.x) {
    const float v = args.send[args.root][i];
    for (int r = 0; r < args.nRanks; r++) args.recv[r][i] = v;
  }
}

xcclResult_t xcclLaunchKernel(enum xcclFunc func, xcclRedOp_t op, const struct xcclKernelArgs* args, cudaStream_t stream) {
  const int threads = 256;
  size_t want = (args->count + threads - 1) / threads;
  const int blocks = want > 32 ? 32 : (int)want;
  if (blocks == 0) return xcclSuccess;
  if (func == xcclFuncBroadcast) broadcastKernel<<<blocks, threads, 0, stream>>>(*args);
  else if (op == xcclSum) allReduceKernel<FuncSum><<<blocks, threads, 0, stream>>>(*args);
  else if (op == xcclMax) allReduceKernel<FuncMax><<<blocks, threads, 0, stream>>>(*args);
  else return xcclInternalError;
  CUDACHECK(cudaGetLastError());
  return xcclSuccess;
}
