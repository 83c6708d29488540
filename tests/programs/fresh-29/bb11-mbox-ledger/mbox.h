/* mbox: a resident service on the GPU that is fed through a mailbox. C interface.
 *
 * The service owns a table of values. It runs from mbox_open() to mbox_close() on one block and
 * handles messages in the order of posting.
 */
#ifndef MBOX_H
#define MBOX_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbox_service* mbox_t;
typedef enum mbox_op { MBOX_ADD = 1, MBOX_SCALE = 2, MBOX_SUM = 3 } mbox_op;

typedef struct mbox_config {
  size_t table_size;
  /* Kernels that the client is going to launch while the service is open. */
  const void* const* client_kernels;
  int client_kernel_count;
} mbox_config;

cudaError_t mbox_open(mbox_t* out, const mbox_config* config);

/* Sends a message; waits for a place in the mailbox when it is full. */
cudaError_t mbox_post(mbox_t m, mbox_op op, int operand, uint32_t* ticket);

/* Waits for the message's reply. A reply can be had until 16 further messages have been posted. */
cudaError_t mbox_wait(mbox_t m, uint32_t ticket, long long* reply);

/* Waits until all messages are handled, then copies the table. The service goes on. */
cudaError_t mbox_snapshot(mbox_t m, int* out);

/* A stream for work of the client beside the service, and the table's address on the device. */
cudaError_t mbox_side_stream(mbox_t m, cudaStream_t* out);
cudaError_t mbox_table(mbox_t m, const int** out);

/* Handles what has been posted, then ends. */
cudaError_t mbox_close(mbox_t m);

#ifdef __cplusplus
}
#endif
#endif
