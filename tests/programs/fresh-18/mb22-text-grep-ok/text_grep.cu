/* gpu-grep: counts occurrences of a pattern in a file, chunk by chunk. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK (8u << 20)
#define MAX_PATTERN 64

#define CK(call)                                                            \
    do {                                                                    \
        cudaError_t e_ = (call);                                            \
        if (e_ != cudaSuccess) {                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

__constant__ char c_pattern[MAX_PATTERN];

__global__ void match(const char *text, size_t starts, int m, unsigned long long *count)
{
    unsigned long long mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < starts; i += (size_t)gridDim.x * blockDim.x) {
        int k = 0;
        while (k < m && text[i + k] == c_pattern[k])
            ++k;
        mine += (k == m);
    }
    if (mine)
        atomicAdd(count, mine);
}

static char *load(const char *path, size_t *size)
{
    char *buf;
    if (!path) {
        static const char words[] = "the quick brown fox jumps over the lazy dog and the cat ";
        const size_t n = 64u << 20;
        buf = (char *)malloc(n);
        for (size_t i = 0; i < n; ++i)
            buf[i] = words[i % (sizeof(words) - 1)];
        *size = n;
        return buf;
    }
    FILE *f = fopen(path, "rb");
    if (!f) { perror(path); exit(1); }
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    buf = (char *)malloc(*size ? *size : 1);
    if (fread(buf, 1, *size, f) != *size) { fprintf(stderr, "short read\n"); exit(1); }
    fclose(f);
    return buf;
}

int main(int argc, char **argv)
{
    const char *pattern = argc > 1 ? argv[1] : "the";
    const int m = (int)strlen(pattern);
    if (m == 0 || m > MAX_PATTERN) { fprintf(stderr, "bad pattern length\n"); return 2; }

    size_t size = 0;
    char *text = load(argc > 2 ? argv[2] : NULL, &size);

    cudaStream_t io, compute;
    cudaEvent_t loaded, staged[2];
    char *stage[2];
    unsigned long long *d_count, count = 0;

    CK(cudaStreamCreateWithFlags(&io, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    CK(cudaEventCreateWithFlags(&loaded, cudaEventDisableTiming));
    for (int i = 0; i < 2; ++i) {
        CK(cudaMallocHost((void **)&stage[i], CHUNK + MAX_PATTERN));
        CK(cudaEventCreateWithFlags(&staged[i], cudaEventDisableTiming));
    }
    CK(cudaMalloc((void **)&d_count, sizeof(*d_count)));
    CK(cudaMemset(d_count, 0, sizeof(*d_count)));
    CK(cudaMemcpyToSymbol(c_pattern, pattern, m));
    CK(cudaDeviceSynchronize());

    int slot = 0;
    for (size_t off = 0; off + m <= size; off += CHUNK, slot ^= 1) {
        size_t len = size - off;
        if (len > CHUNK + (size_t)m - 1)
            len = CHUNK + (size_t)m - 1;
        const size_t starts = len - m + 1;
        char *d_text = NULL;

        CK(cudaEventSynchronize(staged[slot]));
        memcpy(stage[slot], text + off, len);
        CK(cudaMallocAsync((void **)&d_text, len, io));
        CK(cudaMemcpyAsync(d_text, stage[slot], len, cudaMemcpyHostToDevice, io));
        CK(cudaEventRecord(staged[slot], io));
        CK(cudaEventRecord(loaded, io));

        CK(cudaStreamWaitEvent(compute, loaded, 0));
        match<<<256, 256, 0, compute>>>(d_text, starts, m, d_count);
        CK(cudaGetLastError());
        CK(cudaFreeAsync(d_text, compute));
    }

    CK(cudaMemcpyAsync(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost, compute));
    CK(cudaStreamSynchronize(compute));
    CK(cudaStreamSynchronize(io));
    printf("%llu occurrences of \"%s\" in %zu bytes\n", count, pattern, size);

    for (int i = 0; i < 2; ++i) {
        CK(cudaFreeHost(stage[i]));
        CK(cudaEventDestroy(staged[i]));
    }
    CK(cudaEventDestroy(loaded));
    CK(cudaFree(d_count));
    CK(cudaStreamDestroy(io));
    CK(cudaStreamDestroy(compute));
    free(text);
    return 0;
}
