#include "contract.h"
#include "counters.cuh"

// Cases in and beside a capture, first part. Every case leaves the device as it found it.

CONTRACT(SynchronizeInCaptureIsRefused) {
  cudaStream_t stream;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  GIVES(cudaErrorStreamCaptureInvalidated, abandonCapture(stream));

  cudaStreamCaptureStatus status;
  NEED(cudaStreamIsCapturing(stream, &status));
  HOLDS(status == cudaStreamCaptureStatusNone);
  GIVES(cudaSuccess, cudaStreamSynchronize(stream));
  NEED(cudaStreamDestroy(stream));
}

CONTRACT(LegacyLaunchBesideBlockingCaptureIsRefused) {
  int* counter;
  cudaStream_t stream;
  NEED(cudaMalloc(&counter, sizeof(int)));
  NEED(cudaMemset(counter, 0, sizeof(int)));
  NEED(cudaStreamCreate(&stream));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  addKernel<<<1, 1>>>(counter, 1);
  FAILS(cudaGetLastError());
  (void)abandonCapture(stream);

  addKernel<<<1, 1>>>(counter, 1);
  GIVES(cudaSuccess, cudaGetLastError());
  NEED(cudaDeviceSynchronize());
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(counter));
}

CONTRACT(UnjoinedForkIsRefused) {
  int* counter;
  cudaStream_t origin, side;
  cudaEvent_t fork;
  NEED(cudaMalloc(&counter, sizeof(int)));
  NEED(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  NEED(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  NEED(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  NEED(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  NEED(cudaEventRecord(fork, origin));
  NEED(cudaStreamWaitEvent(side, fork, 0));
  addKernel<<<1, 1, 0, side>>>(counter, 1);
  NEED(cudaGetLastError());
  GIVES(cudaErrorStreamCaptureUnjoined, abandonCapture(origin));

  (void)cudaStreamDestroy(side);
  (void)cudaStreamDestroy(origin);
  (void)cudaGetLastError();
  NEED(cudaEventDestroy(fork));
  NEED(cudaFree(counter));
}

CONTRACT(CapturedEventCannotBeWaitedFor) {
  cudaStream_t stream;
  cudaEvent_t event;
  NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  NEED(cudaEventRecord(event, stream));
  FAILS(cudaEventSynchronize(event));
  (void)abandonCapture(stream);
  NEED(cudaEventDestroy(event));
  NEED(cudaStreamDestroy(stream));
}
