/* wl_gpu.cu - GPU back end of the stacker. One log at a time, module state. */
#include <stdio.h>
#include <string.h>
#include <cuda_runtime.h>
#include "welllog.h"

#define WL_TPB   256
#define WL_GRID  ((WL_NSAMP + WL_TPB - 1) / WL_TPB)
#define WL_SPIN  40000000LL

#define WL_TRY(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_ != cudaSuccess) { wl_errname = cudaGetErrorName(e_); goto fail; } \
    } while (0)

const char *wl_errname = "none";

static cudaStream_t g_str[2];
static cudaEvent_t  g_ev[2];
static int          g_used[2];
static short       *g_stage[2];      /* page locked */
static int         *g_peaks;         /* page locked */
static short       *d_raw[2];
static int         *d_curve[2];
static int         *d_sum;
static int         *d_peak;
static int          g_open;

__global__ static void wl_despike(const short *raw, int *curve, int n, long long spin)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long t0 = clock64();
    int a, b, c, lo, hi;

    while (clock64() - t0 < spin)
        ;
    if (i >= n)
        return;
    a = raw[i > 0 ? i - 1 : 0];
    b = raw[i];
    c = raw[i < n - 1 ? i + 1 : n - 1];
    lo = a < b ? a : b;
    hi = a < b ? b : a;
    curve[i] = c < lo ? lo : (c > hi ? hi : c);
}

__global__ static void wl_stack(const int *near_c, const int *far_c, int *sum, int *peak, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v;

    if (i >= n)
        return;
    v = 3 * near_c[i] + 2 * far_c[i];
    sum[i] += v;
    atomicMax(peak, v);
}

int wl_open(void)
{
    int k;

    for (k = 0; k < 2; k++) {
        WL_TRY(cudaStreamCreate(&g_str[k]));
        WL_TRY(cudaEventCreateWithFlags(&g_ev[k], cudaEventDisableTiming));
        WL_TRY(cudaMallocHost((void **)&g_stage[k], WL_NSAMP * sizeof(short)));
        WL_TRY(cudaMalloc((void **)&d_raw[k], WL_NSAMP * sizeof(short)));
        WL_TRY(cudaMalloc((void **)&d_curve[k], WL_NSAMP * sizeof(int)));
        g_used[k] = 0;
    }
    WL_TRY(cudaMallocHost((void **)&g_peaks, WL_NPAIR * sizeof(int)));
    WL_TRY(cudaMalloc((void **)&d_sum, WL_NSAMP * sizeof(int)));
    WL_TRY(cudaMalloc((void **)&d_peak, sizeof(int)));
    WL_TRY(cudaMemset(d_sum, 0, WL_NSAMP * sizeof(int)));
    WL_TRY(cudaMemset(d_peak, 0, sizeof(int)));
    g_open = 1;
    return WL_OK;

fail:
    wl_close();
    return WL_EGPU;
}

int wl_pass(int ipass, void (*reader)(int, short *, int))
{
    int k = ipass & 1;

    if (!g_open || ipass < 0 || ipass >= WL_NPASS)
        return WL_ERANGE;
    if (g_used[k])
        WL_TRY(cudaEventSynchronize(g_ev[k]));

    reader(ipass, g_stage[k], WL_NSAMP);
    WL_TRY(cudaMemcpyAsync(d_raw[k], g_stage[k], WL_NSAMP * sizeof(short),
                           cudaMemcpyHostToDevice, g_str[k]));
    WL_TRY(cudaEventRecord(g_ev[k], g_str[k]));
    g_used[k] = 1;

    wl_despike<<<WL_GRID, WL_TPB, 0, g_str[k]>>>(d_raw[k], d_curve[k], WL_NSAMP, WL_SPIN);
    WL_TRY(cudaGetLastError());

    if (k == 1) {
        wl_stack<<<WL_GRID, WL_TPB>>>(d_curve[0], d_curve[1], d_sum, d_peak, WL_NSAMP);
        WL_TRY(cudaGetLastError());
        WL_TRY(cudaMemcpyAsync(&g_peaks[ipass / 2], d_peak, sizeof(int),
                               cudaMemcpyDeviceToHost, 0));
        WL_TRY(cudaMemsetAsync(d_peak, 0, sizeof(int), 0));
    }
    return WL_OK;

fail:
    return WL_EGPU;
}

int wl_fetch(int *curve, int *peaks)
{
    if (!g_open)
        return WL_ERANGE;
    WL_TRY(cudaMemcpy(curve, d_sum, WL_NSAMP * sizeof(int), cudaMemcpyDeviceToHost));
    memcpy(peaks, g_peaks, WL_NPAIR * sizeof(int));
    return WL_OK;

fail:
    return WL_EGPU;
}

void wl_close(void)
{
    int k;

    for (k = 0; k < 2; k++) {
        if (g_str[k])   cudaStreamDestroy(g_str[k]);
        if (g_ev[k])    cudaEventDestroy(g_ev[k]);
        if (g_stage[k]) cudaFreeHost(g_stage[k]);
        cudaFree(d_raw[k]);
        cudaFree(d_curve[k]);
        g_str[k] = 0;
        g_ev[k] = 0;
        g_stage[k] = 0;
        d_raw[k] = 0;
        d_curve[k] = 0;
    }
    if (g_peaks)
        cudaFreeHost(g_peaks);
    cudaFree(d_sum);
    cudaFree(d_peak);
    g_peaks = 0;
    d_sum = d_peak = 0;
    g_open = 0;
}
