#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// Collectives between the ranks of one process that share a device. Modelled on the interface of
// the larger communication libraries: calls between lc_group_start and lc_group_end form one
// collective, in which each rank of the clique takes part exactly once.

#define LC_MAX_RANKS 8

typedef struct lc_comm* lc_comm_t;

typedef enum { LC_OK = 0, LC_INVALID = 1, LC_CUDA = 2 } lc_status;

lc_status lc_comm_init_all(lc_comm_t* comms, int ranks);
lc_status lc_comm_destroy_all(lc_comm_t* comms, int ranks);

lc_status lc_group_start(lc_comm_t comm);
lc_status lc_group_end(lc_comm_t comm);

// recv[i] = sum over ranks of send[i], accumulated in double. Out of place only. Asynchronous:
// completes in `stream`.
lc_status lc_all_reduce(lc_comm_t comm, const float* send, float* recv, size_t count,
                        cudaStream_t stream);

cudaError_t lc_last_cuda_error(void);
