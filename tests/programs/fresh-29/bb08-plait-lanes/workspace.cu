#include "plait_internal.h"

namespace plait {

cudaError_t reserve(workspace& ws, size_t bytes) {
  if (ws.bytes == bytes) return cudaSuccess;
  release(ws);
  const cudaError_t e = cudaMalloc(&ws.ptr, bytes);
  if (e == cudaSuccess) ws.bytes = bytes;
  return e;
}

void release(workspace& ws) {
  if (ws.ptr) cudaFree(ws.ptr);
  ws.ptr = nullptr;
  ws.bytes = 0;
}

}  // namespace plait
