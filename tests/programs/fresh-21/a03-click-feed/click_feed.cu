#include "click_feed.h"

#include <stdlib.h>
#include <string.h>

#include "score_kernel.cuh"

#define CF_SLOTS 2

#define CF_TRY(call)                      \
  do {                                    \
    cudaError_t cf_err_ = (call);         \
    if (cf_err_ != cudaSuccess) return cf_err_; \
  } while (0)

typedef struct {
  float *staging;      /* page-locked */
  float *rows;         /* on the device */
  cudaEvent_t landed;
  cudaEvent_t scored;
} cf_slot;

struct cf_feed {
  cf_config config;
  cudaStream_t upload;
  cudaStream_t compute;
  cf_slot slots[CF_SLOTS];
  float *weights;
  float *scores;
  size_t row_count;    /* rows pushed since the last drain */
  int batch_count;     /* batches pushed since the last drain */
};

static cudaError_t cf_slot_init(cf_slot *slot, size_t bytes) {
  CF_TRY(cudaMallocHost((void **)&slot->staging, bytes));
  CF_TRY(cudaMalloc((void **)&slot->rows, bytes));
  CF_TRY(cudaEventCreateWithFlags(&slot->landed, cudaEventDisableTiming));
  CF_TRY(cudaEventCreateWithFlags(&slot->scored, cudaEventDisableTiming));
  return cudaSuccess;
}

static cudaError_t cf_init(cf_feed *feed, const float *weights) {
  const cf_config *c = &feed->config;
  const size_t weight_bytes = sizeof(float) * c->features;
  const size_t score_bytes = sizeof(float) * (size_t)c->batch_rows * c->max_batches;

  CF_TRY(cudaStreamCreateWithFlags(&feed->upload, cudaStreamNonBlocking));
  CF_TRY(cudaStreamCreateWithFlags(&feed->compute, cudaStreamNonBlocking));
  for (int i = 0; i < CF_SLOTS; ++i)
    CF_TRY(cf_slot_init(&feed->slots[i], weight_bytes * c->batch_rows));
  CF_TRY(cudaMalloc((void **)&feed->weights, weight_bytes));
  CF_TRY(cudaMalloc((void **)&feed->scores, score_bytes));
  CF_TRY(cudaMemcpyAsync(feed->weights, weights, weight_bytes,
                         cudaMemcpyHostToDevice, feed->compute));
  return cudaStreamSynchronize(feed->compute);
}

extern "C" cudaError_t cf_open(const cf_config *config, const float *weights,
                               cf_feed **out) {
  if (config->features < 1 || config->batch_rows < 1 || config->max_batches < 1)
    return cudaErrorInvalidValue;
  cf_feed *feed = (cf_feed *)calloc(1, sizeof *feed);
  if (feed == NULL) return cudaErrorMemoryAllocation;
  feed->config = *config;
  cudaError_t err = cf_init(feed, weights);
  if (err != cudaSuccess) {
    cf_close(feed);
    return err;
  }
  *out = feed;
  return cudaSuccess;
}

extern "C" cudaError_t cf_push(cf_feed *feed, const float *rows, int count) {
  const cf_config *c = &feed->config;
  if (count < 1 || count > c->batch_rows) return cudaErrorInvalidValue;
  if (feed->batch_count == c->max_batches) return cudaErrorInvalidValue;

  cf_slot *slot = &feed->slots[feed->batch_count % CF_SLOTS];
  const size_t bytes = sizeof(float) * (size_t)count * c->features;

  CF_TRY(cudaEventSynchronize(slot->landed));
  memcpy(slot->staging, rows, bytes);

  CF_TRY(cudaStreamWaitEvent(feed->upload, slot->scored, 0));
  CF_TRY(cudaMemcpyAsync(slot->rows, slot->staging, bytes,
                         cudaMemcpyHostToDevice, feed->upload));
  CF_TRY(cudaEventRecord(slot->landed, feed->upload));

  CF_TRY(cudaStreamWaitEvent(feed->compute, slot->landed, 0));
  click::score_rows<<<(count + 127) / 128, 128, 0, feed->compute>>>(
      slot->rows, feed->weights, count, c->features, c->batch_ns,
      feed->scores + feed->row_count);
  CF_TRY(cudaGetLastError());
  CF_TRY(cudaEventRecord(slot->scored, feed->compute));

  feed->row_count += (size_t)count;
  feed->batch_count += 1;
  return cudaSuccess;
}

extern "C" cudaError_t cf_drain(cf_feed *feed, float *scores, size_t capacity,
                                size_t *written) {
  if (capacity < feed->row_count) return cudaErrorInvalidValue;
  CF_TRY(cudaMemcpyAsync(scores, feed->scores, sizeof(float) * feed->row_count,
                         cudaMemcpyDeviceToHost, feed->compute));
  CF_TRY(cudaStreamSynchronize(feed->compute));
  *written = feed->row_count;
  feed->row_count = 0;
  feed->batch_count = 0;
  return cudaSuccess;
}

extern "C" void cf_close(cf_feed *feed) {
  if (feed == NULL) return;
  if (feed->upload) cudaStreamSynchronize(feed->upload);
  if (feed->compute) cudaStreamSynchronize(feed->compute);
  for (int i = 0; i < CF_SLOTS; ++i) {
    cf_slot *slot = &feed->slots[i];
    if (slot->landed) cudaEventDestroy(slot->landed);
    if (slot->scored) cudaEventDestroy(slot->scored);
    cudaFreeHost(slot->staging);
    cudaFree(slot->rows);
  }
  cudaFree(feed->weights);
  cudaFree(feed->scores);
  if (feed->upload) cudaStreamDestroy(feed->upload);
  if (feed->compute) cudaStreamDestroy(feed->compute);
  free(feed);
}
