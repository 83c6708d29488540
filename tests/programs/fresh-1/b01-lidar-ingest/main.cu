// Lidar ingest: rotations arrive from a (synthetic) sensor, go through a staging
// ring to the device, and a ground model is fitted to each of them.
#include "ring.h"

#include <math.h>
#include <string.h>

enum { SCANS = 12 };
static const size_t kPoints = 1u << 18;
static const unsigned long long kFitNs = 20ull * 1000 * 1000;

typedef struct {
    double *d_height;       /* SCANS accumulated heights */
    double expected[SCANS];
} ingest_app;

__device__ unsigned long long device_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Iterative plane fit; the refinement budget is given as a time.
__global__ void fit_ground(const float *points, size_t n, double *height, unsigned long long budget)
{
    __shared__ double part[256];
    unsigned long long t0 = device_ns();
    double acc = 0.0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        acc += points[i];
    part[threadIdx.x] = acc;
    __syncthreads();
    for (int w = blockDim.x / 2; w > 0; w >>= 1) {
        if (threadIdx.x < w)
            part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    while (device_ns() - t0 < budget) {
    }
    if (threadIdx.x == 0)
        atomicAdd(height, part[0]);
}

static void sensor_read(float *dst, size_t points, unsigned seq, void *user)
{
    ingest_app *app = (ingest_app *)user;
    double sum = 0.0;
    for (size_t i = 0; i < points; ++i) {
        float h = (float)((i * 7) % 101 + seq);
        dst[i] = h;
        sum += h;
    }
    app->expected[seq] = sum;
}

static void fit_launch(const float *dev, size_t points, unsigned seq, cudaStream_t stream, void *user)
{
    ingest_app *app = (ingest_app *)user;
    fit_ground<<<32, 256, 0, stream>>>(dev, points, app->d_height + seq, kFitNs);
    CK(cudaGetLastError());
}

int main(void)
{
    ingest_app app;
    memset(&app, 0, sizeof app);
    CK(cudaMalloc((void **)&app.d_height, SCANS * sizeof(double)));
    CK(cudaMemset(app.d_height, 0, SCANS * sizeof(double)));
    CK(cudaDeviceSynchronize());

    scan_ring ring;
    ring_open(&ring, kPoints);
    for (int i = 0; i < SCANS; ++i)
        ring_submit(&ring, sensor_read, fit_launch, &app);
    ring_flush(&ring);

    double height[SCANS];
    CK(cudaMemcpy(height, app.d_height, sizeof height, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < SCANS; ++i) {
        printf("scan %2d mean height %.4f\n", i, height[i] / (double)kPoints);
        if (fabs(height[i] - app.expected[i]) > 0.5)
            ++wrong;
    }

    ring_close(&ring);
    CK(cudaFree(app.d_height));
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
