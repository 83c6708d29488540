#pragma once
// Ensemble forecast: the members are queued completely, then started together.

#include <condition_variable>
#include <cuda.h>
#include <cuda_runtime.h>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>

#define MEMBERS 3
#define CELLS (1 << 15)
#define STEPS 20

#define RT(x)                                               \
    do {                                                    \
        cudaError_t rt_rc = (x);                            \
        if (rt_rc != cudaSuccess) {                         \
            printf("ERROR %s\n", cudaGetErrorName(rt_rc));  \
            exit(1);                                        \
        }                                                   \
    } while (0)

#define DV(x)                                               \
    do {                                                    \
        CUresult dv_rc = (x);                               \
        if (dv_rc != CUDA_SUCCESS) {                        \
            const char *dv_name = "unknown";                \
            cuGetErrorName(dv_rc, &dv_name);                \
            printf("ERROR %s\n", dv_name);                  \
            exit(1);                                        \
        }                                                   \
    } while (0)

struct run_board {
    std::mutex lock;
    std::condition_variable changed;
    bool armed = false;
    int finished = 0;
};

struct member {
    int index;
    run_board *board;
    cudaStream_t stream;
    unsigned *state;      // device, CELLS
    unsigned *forcing;    // device, CELLS, written by member 0
};

struct ensemble {
    member m[MEMBERS];
    run_board board;
    unsigned *gate;       // page-locked, mapped
    CUdeviceptr gate_dev;
    CUdeviceptr forced;   // device word, set once the forcing field is there
    unsigned *forcing;
    unsigned *result[MEMBERS];  // page-locked
};

void ensemble_create(ensemble *e);
void ensemble_queue(ensemble *e);
void ensemble_control(ensemble *e);   // body of the controller thread
void ensemble_wait(ensemble *e);
void ensemble_destroy(ensemble *e);
unsigned ensemble_reference(int member_index, unsigned cell);
