#include "device_allreduce.cuh"

namespace {

template <typename T, typename RedOp>
void* kernelOf() { return (void*)chorusDevKernelAllReduce<T, RedOp>; }

void* const* kernelList() {
  static void* const list[chorusNumTypes * chorusNumOps] = {
    kernelOf<int, FuncSum<int>>(), kernelOf<int, FuncMax<int>>(),
    kernelOf<float, FuncSum<float>>(), kernelOf<float, FuncMax<float>>()};
  return list;
}

}  // namespace

thread_local cudaError_t chorusLastCudaError = cudaSuccess;

chorusResult_t chorusInitKernelsForDevice() {
  for (int k = 0; k < chorusNumTypes * chorusNumOps; ++k) {
    cudaFuncAttributes attr;
    CUDACHECK(cudaFuncGetAttributes(&attr, kernelList()[k]));
  }
  return chorusSuccess;
}

chorusResult_t chorusLaunchPrepare(struct chorusInfo* info) {
  chorusComm_t comm = info->comm;
  const size_t bytes = info->count * 4;
  if (bytes > comm->scratchBytes) {
    CUDACHECK(cudaFree(comm->scratch));
    comm->scratch = nullptr;
    comm->scratchBytes = 0;
    CUDACHECK(cudaMalloc(&comm->scratch, bytes));
    comm->scratchBytes = bytes;
  }
  return chorusSuccess;
}

chorusResult_t chorusLaunchKernel(struct chorusInfo* info) {
  void* args[] = {&info->comm->dev, &info->sendbuff, &info->recvbuff, &info->comm->scratch, &info->count};
  void* kernel = kernelList()[info->datatype * chorusNumOps + info->op];
  CUDACHECK(cudaLaunchKernel(kernel, dim3(CHORUS_CHANNELS), dim3(256), args, 0, info->stream));
  return chorusSuccess;
}

chorusResult_t chorusAllReduce(const void* sendbuff, void* recvbuff, size_t count, chorusDataType_t datatype,
                               chorusRedOp_t op, chorusComm_t comm, cudaStream_t stream) {
  struct chorusInfo info = {sendbuff, recvbuff, count, datatype, op, comm, stream};
  return chorusEnqueueCheck(&info);
}
