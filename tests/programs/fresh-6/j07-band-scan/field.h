#pragma once
#include <cuda_runtime.h>

typedef struct band_s {
    cudaStream_t stream;
    int first;
    int count;
} band_t;

typedef struct field_s {
    int n;
    int nbands;
    band_t *bands;
    int *weights; /* device */
    int *offsets; /* device */
    int *slots;   /* device */
} field_t;

int field_create(int n, int nbands, field_t **out);
int field_fill(field_t *f, int round);
int field_index(field_t *f, long *total);
int field_place(field_t *f);
int field_fetch(const field_t *f, int *host);
void field_destroy(field_t *f);
const char *field_strerror(int code);
int field_weight(int i, int round);
