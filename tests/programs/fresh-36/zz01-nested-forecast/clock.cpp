/* Model clocks: one word of device memory per domain, holding the time level that domain has reached. */
#include "domain.h"

static unsigned int *clocks;

void clocks_open(void)
{
    RT(cudaMalloc((void **)&clocks, NDOM * sizeof *clocks));
    RT(cudaMemset(clocks, 0, NDOM * sizeof *clocks));
    RT(cudaDeviceSynchronize());
}

void clocks_close(void)
{
    RT(cudaFree(clocks));
    clocks = 0;
}

static CUdeviceptr word_of(int d)
{
    return (CUdeviceptr)(clocks + d);
}

void clock_await(cudaStream_t s, int d, int time)
{
    DRV(cuStreamWaitValue32((CUstream)s, word_of(d), (cuuint32_t)time, CU_STREAM_WAIT_VALUE_GEQ));
}

void clock_post(cudaStream_t s, int d, int time)
{
    DRV(cuStreamWriteValue32((CUstream)s, word_of(d), (cuuint32_t)time, CU_STREAM_WRITE_VALUE_DEFAULT));
}
