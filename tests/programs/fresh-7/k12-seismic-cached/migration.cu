#include "migration.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

void Check(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        printf("ERROR %s\n", cudaGetErrorName(error));
        fflush(stdout);
        _Exit(1);
    }
}

static __host__ __device__ unsigned Amplitude(int shot, int cell)
{
    return (unsigned)cell * 2654435761u ^ (unsigned)shot * 40503u;
}

static __device__ unsigned long long Nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

static __global__ void SpreadKernel(unsigned *volume, int shot)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < TRACES * SAMPLES; i += gridDim.x * blockDim.x)
        volume[i] = Amplitude(shot, i);
}

static __global__ void StackKernel(const unsigned *volume, unsigned *image)
{
    unsigned long long start = Nanoseconds();
    while (Nanoseconds() - start < 30000000ull)
        ;
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < IMAGE_CELLS; c += gridDim.x * blockDim.x)
    {
        unsigned sum = 0;
        for (int i = c; i < TRACES * SAMPLES; i += IMAGE_CELLS)
            sum += volume[i];
        image[c] = sum;
    }
}

namespace
{
class Volume
{
public:
    Volume(CachingAllocator &allocator, cudaStream_t stream) : allocator_(allocator), data_(0)
    {
        void *p = 0;
        Check(allocator_.DeviceAllocate(&p, sizeof(unsigned) * TRACES * SAMPLES, stream));
        data_ = static_cast<unsigned *>(p);
    }
    ~Volume() { Check(allocator_.DeviceFree(data_)); }
    unsigned *Data() { return data_; }

private:
    Volume(const Volume &);
    Volume &operator=(const Volume &);
    CachingAllocator &allocator_;
    unsigned *data_;
};
}

Migration::Migration(CachingAllocator &allocator, int shots) : allocator_(allocator), shots_(shots), d_images_(0)
{
    Check(cudaMalloc((void **)&d_images_, sizeof(unsigned) * IMAGE_CELLS * shots));
    Check(cudaMemset(d_images_, 0, sizeof(unsigned) * IMAGE_CELLS * shots));
    Check(cudaDeviceSynchronize());
}

Migration::~Migration()
{
    cudaFree(d_images_);
}

void Migration::Shot(int shot, cudaStream_t stream)
{
    Volume volume(allocator_, stream);
    SpreadKernel<<<32, 256, 0, stream>>>(volume.Data(), shot);
    StackKernel<<<8, 256, 0, stream>>>(volume.Data(), d_images_ + (size_t)shot * IMAGE_CELLS);
    Check(cudaGetLastError());
}

long Migration::CountWrong() const
{
    std::vector<unsigned> images((size_t)shots_ * IMAGE_CELLS);
    Check(cudaMemcpy(&images[0], d_images_, images.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int s = 0; s < shots_; ++s)
    {
        for (int c = 0; c < IMAGE_CELLS; ++c)
        {
            unsigned sum = 0;
            for (int i = c; i < TRACES * SAMPLES; i += IMAGE_CELLS)
                sum += Amplitude(s, i);
            wrong += images[(size_t)s * IMAGE_CELLS + c] != sum;
        }
    }
    return wrong;
}
