// uplink: asynchronous uploads from ordinary host memory through a small pool of pinned staging slots.
//
// uplink_send copies the source into staging before it returns, so the source may be changed at once; the copy to the
// device takes its place in the given stream. A send larger than a slot is cut into several. When every slot is in use,
// uplink_send waits for the oldest. An uplink is used by one host thread at a time; the stream may differ per call.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uplink_s* uplink_t;

typedef enum {
  UPLINK_OK = 0,
  UPLINK_EINVAL = -1,
  UPLINK_ENOMEM = -2,
  UPLINK_ECUDA = -3,
} uplink_status;

typedef struct {
  int slots;          // staging slots, 1 to 64
  size_t slot_bytes;  // bytes of each
} uplink_options;

typedef struct {
  unsigned long long bytes;   // handed to the device so far
  unsigned long long chunks;
  unsigned long long stalls;  // times that a send found no free slot
} uplink_stats;

void uplink_default_options(uplink_options* options);
uplink_status uplink_create(uplink_t* link, const uplink_options* options);
uplink_status uplink_destroy(uplink_t link);  // waits for all sends

uplink_status uplink_send(uplink_t link, void* dst, const void* src, size_t bytes, cudaStream_t stream);
uplink_status uplink_flush(uplink_t link);  // waits for all sends
uplink_status uplink_get_stats(uplink_t link, uplink_stats* stats);
const char* uplink_strerror(uplink_status s);

#ifdef __cplusplus
}
#endif
