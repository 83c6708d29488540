/* Scores batches of click features with a linear model, in the order pushed. */
#ifndef CLICK_FEED_H
#define CLICK_FEED_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cf_feed cf_feed;

typedef struct {
  int features;        /* columns of a row */
  int batch_rows;      /* most rows of one push */
  int max_batches;     /* most pushes between two drains */
  long long batch_ns;  /* least time the model spends on a batch */
} cf_config;

/* `weights` holds config->features values and is not needed afterwards. */
cudaError_t cf_open(const cf_config *config, const float *weights, cf_feed **out);

/* Takes a copy of `count` rows, row-major; `rows` may be reused on return.
 * Returns cudaErrorInvalidValue if the batch is too large or the feed is full. */
cudaError_t cf_push(cf_feed *feed, const float *rows, int count);

/* Waits for everything pushed and writes one score per row in push order. The
 * feed is empty afterwards. */
cudaError_t cf_drain(cf_feed *feed, float *scores, size_t capacity, size_t *written);

void cf_close(cf_feed *feed);

#ifdef __cplusplus
}
#endif
#endif
