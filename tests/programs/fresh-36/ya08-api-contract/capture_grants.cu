#include "contract.h"
#include "counters.cuh"

#include <atomic>

// Cases in and beside a capture, second part.

CONTRACT(RelaxedCaptureMayAllocate) {
  int* counter = nullptr;
  int value = -1;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  GIVES(cudaSuccess, cudaMalloc(&counter, sizeof(int)));
  NEED(cudaMemsetAsync(counter, 0, sizeof(int), stream));
  for (int k = 1; k <= 4; ++k) addKernel<<<1, 1, 0, stream>>>(counter, k);
  NEED(cudaGetLastError());
  NEED(cudaMemcpyAsync(&value, counter, sizeof(int), cudaMemcpyDeviceToHost, stream));
  NEED(cudaStreamEndCapture(stream, &graph));
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  NEED(cudaGraphDestroy(graph));
  for (int run = 0; run < 3; ++run) {
    value = -1;
    NEED(cudaGraphLaunch(exec, stream));
    NEED(cudaStreamSynchronize(stream));
    HOLDS(value == 10);
  }
  NEED(cudaGraphExecDestroy(exec));
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(counter));
}

CONTRACT(ThreadMayRelaxAroundOneCall) {
  int* scratch = nullptr;
  cudaStream_t stream;
  cudaGraph_t graph;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  NEED(cudaThreadExchangeStreamCaptureMode(&mode));
  GIVES(cudaSuccess, cudaMalloc(&scratch, 256 * sizeof(int)));
  NEED(cudaThreadExchangeStreamCaptureMode(&mode));
  NEED(cudaMemsetAsync(scratch, 0, 256 * sizeof(int), stream));
  NEED(cudaStreamEndCapture(stream, &graph));
  NEED(cudaGraphDestroy(graph));
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(scratch));
}

static void CUDART_CB countCall(void* user) { static_cast<std::atomic<int>*>(user)->fetch_add(1); }

CONTRACT(HostNodeRunsOncePerLaunch) {
  std::atomic<int> calls{0};
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  NEED(cudaLaunchHostFunc(stream, countCall, &calls));
  NEED(cudaStreamEndCapture(stream, &graph));
  NEED(cudaGraphInstantiate(&exec, graph, 0));
  HOLDS(calls == 0);
  for (int run = 0; run < 5; ++run) NEED(cudaGraphLaunch(exec, stream));
  NEED(cudaStreamSynchronize(stream));
  HOLDS(calls == 5);
  NEED(cudaGraphExecDestroy(exec));
  NEED(cudaGraphDestroy(graph));
  NEED(cudaStreamDestroy(stream));
}

CONTRACT(WorkBesideNonBlockingCaptureRunsAtOnce) {
  int* counter;
  int value = -1;
  cudaStream_t stream;
  NEED(cudaMalloc(&counter, sizeof(int)));
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  addKernel<<<1, 1, 0, stream>>>(counter, 1000);
  NEED(cudaGetLastError());
  NEED(cudaMemset(counter, 0, sizeof(int)));
  addKernel<<<1, 1>>>(counter, 7);
  NEED(cudaGetLastError());
  NEED(cudaMemcpy(&value, counter, sizeof(int), cudaMemcpyDeviceToHost));
  HOLDS(value == 7);
  NEED(abandonCapture(stream));
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(counter));
}
