#include "band_bank.h"

#include <stdlib.h>
#include <string.h>

#define BB_TRY(call)                            \
  do {                                          \
    cudaError_t bb_err_ = (call);               \
    if (bb_err_ != cudaSuccess) return bb_err_; \
  } while (0)

struct bb_bank {
  int samples;
  int bands;
  int block_size;
  float centres[BB_MAX_BANDS];
  cudaStream_t stream;
  cudaGraphExec_t exec;
  float *h_block;   /* page-locked, samples */
  float *h_result;  /* page-locked, bands * samples */
  float *d_block;
  float *d_result;
  float *d_taps;    /* of the band at work */
};

static __global__ void convolve(const float *block, const float *taps, int samples,
                                float *result) {
  __shared__ float t[BB_TAPS];
  for (int k = threadIdx.x; k < BB_TAPS; k += blockDim.x) t[k] = taps[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  float sum = 0.0f;
  const int reach = min(BB_TAPS - 1, i);
  for (int k = 0; k <= reach; ++k) sum += t[k] * block[i - k];
  result[i] = sum;
}

static cudaError_t bb_record_band(bb_bank *bank, int band) {
  float taps[BB_TAPS];
  bb_design(bank->centres[band], taps);
  BB_TRY(cudaMemcpyAsync(bank->d_taps, taps, sizeof(taps),
                         cudaMemcpyHostToDevice, bank->stream));
  const int grid = (bank->samples + bank->block_size - 1) / bank->block_size;
  convolve<<<grid, bank->block_size, 0, bank->stream>>>(
      bank->d_block, bank->d_taps, bank->samples,
      bank->d_result + (size_t)band * bank->samples);
  return cudaGetLastError();
}

static cudaError_t bb_record(bb_bank *bank) {
  const size_t block_bytes = sizeof(float) * bank->samples;
  BB_TRY(cudaMemcpyAsync(bank->d_block, bank->h_block, block_bytes,
                         cudaMemcpyHostToDevice, bank->stream));
  for (int band = 0; band < bank->bands; ++band) BB_TRY(bb_record_band(bank, band));
  return cudaMemcpyAsync(bank->h_result, bank->d_result, block_bytes * bank->bands,
                         cudaMemcpyDeviceToHost, bank->stream);
}

static cudaError_t bb_build(bb_bank *bank) {
  cudaGraph_t graph = NULL;
  BB_TRY(cudaStreamBeginCapture(bank->stream, cudaStreamCaptureModeThreadLocal));
  cudaError_t err = bb_record(bank);
  cudaError_t ended = cudaStreamEndCapture(bank->stream, &graph);
  if (err == cudaSuccess) err = ended;
  if (err == cudaSuccess) err = cudaGraphInstantiate(&bank->exec, graph, 0);
  if (graph != NULL) cudaGraphDestroy(graph);
  return err;
}

static cudaError_t bb_init(bb_bank *bank) {
  const size_t block_bytes = sizeof(float) * bank->samples;
  int least_grid = 0;
  BB_TRY(cudaStreamCreateWithFlags(&bank->stream, cudaStreamNonBlocking));
  BB_TRY(cudaMallocHost((void **)&bank->h_block, block_bytes));
  BB_TRY(cudaMallocHost((void **)&bank->h_result, block_bytes * bank->bands));
  BB_TRY(cudaMalloc((void **)&bank->d_block, block_bytes));
  BB_TRY(cudaMalloc((void **)&bank->d_result, block_bytes * bank->bands));
  BB_TRY(cudaMalloc((void **)&bank->d_taps, sizeof(float) * BB_TAPS));
  BB_TRY(cudaOccupancyMaxPotentialBlockSize(&least_grid, &bank->block_size, convolve,
                                            0, 256));
  return bb_build(bank);
}

extern "C" cudaError_t bb_create(int samples, int bands, const float *centres,
                                 bb_bank **out) {
  if (samples < 1 || bands < 1 || bands > BB_MAX_BANDS) return cudaErrorInvalidValue;
  bb_bank *bank = (bb_bank *)calloc(1, sizeof *bank);
  if (bank == NULL) return cudaErrorMemoryAllocation;
  bank->samples = samples;
  bank->bands = bands;
  memcpy(bank->centres, centres, sizeof(float) * bands);
  cudaError_t err = bb_init(bank);
  if (err != cudaSuccess) {
    bb_destroy(bank);
    return err;
  }
  *out = bank;
  return cudaSuccess;
}

extern "C" cudaError_t bb_process(bb_bank *bank, const float *block, float *result) {
  const size_t block_bytes = sizeof(float) * bank->samples;
  memcpy(bank->h_block, block, block_bytes);
  BB_TRY(cudaGraphLaunch(bank->exec, bank->stream));
  BB_TRY(cudaStreamSynchronize(bank->stream));
  memcpy(result, bank->h_result, block_bytes * bank->bands);
  return cudaSuccess;
}

extern "C" void bb_destroy(bb_bank *bank) {
  if (bank == NULL) return;
  if (bank->exec) cudaGraphExecDestroy(bank->exec);
  cudaFree(bank->d_block);
  cudaFree(bank->d_result);
  cudaFree(bank->d_taps);
  cudaFreeHost(bank->h_block);
  cudaFreeHost(bank->h_result);
  if (bank->stream) cudaStreamDestroy(bank->stream);
  free(bank);
}
