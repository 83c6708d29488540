#pragma once
// Consolidated depth book: several venues feed one ladder of price levels per session.

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define VENUES 3
#define LEVELS 2048
#define ORDERS (1 << 16)
#define SESSIONS 6

#define OK_OR_DIE(x) book_check((x))

static inline void book_check(cudaError_t rc)
{
    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        exit(1);
    }
}

struct order {
    unsigned level;
    int quantity;
};

typedef enum { BOOK_CLOSED, BOOK_OPEN, BOOK_TRADING, BOOK_NETTING } book_phase;

struct depth_book {
    book_phase phase;
    int session;
    cudaStream_t venue[VENUES];
    order *d_orders[VENUES];
    int *d_ladder;      // LEVELS, shared by the venues
    long long *d_net;   // SESSIONS
};

void book_create(depth_book *b, const order *const host_orders[VENUES]);
int book_step(depth_book *b);   // returns 0 once the last session was netted
void book_result(depth_book *b, long long out[SESSIONS]);
void book_destroy(depth_book *b);
