#ifndef FB_H
#define FB_H
/* fb: batched signal filters behind an opaque handle. */
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FB_MAX_BATCH 64

typedef enum fb_status {
    FB_OK = 0,
    FB_BAD_VALUE = 1,
    FB_NO_MEMORY = 2,
    FB_CUDA = 3
} fb_status;

/* dst[i] = gain * (src[i] + feed * src[i-1]) + offset; src and dst are device memory. */
typedef struct fb_desc {
    const float* src;
    float* dst;
    int length;
    float gain;
    float feed;
    float offset;
} fb_desc;

typedef struct fb_handle_s* fb_handle;

fb_status fb_create(fb_handle* out);
fb_status fb_destroy(fb_handle handle);

/* Filters `count` signals in the order of `stream`. The descriptors are read before the call
 * returns. May be called while `stream` is being captured; the graph may then be launched any
 * number of times until the handle is destroyed. At most 16 calls per handle may be captured. */
fb_status fb_execute(fb_handle handle, const fb_desc* descs, int count, cudaStream_t stream);

/* The last CUDA error behind FB_CUDA. */
cudaError_t fb_last_cuda_error(fb_handle handle);

const char* fb_status_name(fb_status status);

#ifdef __cplusplus
}
#endif
#endif
