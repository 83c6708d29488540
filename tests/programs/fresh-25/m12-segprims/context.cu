#include "context.h"

namespace segprims {

context::context()
{
  try_cuda(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
  try_cuda(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
  try_cuda(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming));
}

context::~context()
{
  cudaEventDestroy(joined_);
  cudaEventDestroy(forked_);
  cudaStreamDestroy(side_);
}

void context::fork(cudaStream_t main)
{
  try_cuda(cudaEventRecord(forked_, main));
  try_cuda(cudaStreamWaitEvent(side_, forked_, 0));
}

void context::join(cudaStream_t main)
{
  try_cuda(cudaEventRecord(joined_, side_));
  try_cuda(cudaStreamWaitEvent(main, joined_, 0));
}

bool capturing(cudaStream_t stream)
{
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  try_cuda(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace segprims
