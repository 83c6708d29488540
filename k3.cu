#include <cuda_runtime.h>
template <typename T, int B> __global__ void mean(const T* x, T* out) { *out = *x; }
__global__ void follow(volatile int *stop) { while (!*stop) {} }
const void *mean_f32() { return reinterpret_cast<const void*>(&mean<float, 4>); }
int main() { volatile int *h; float *x,*o; cudaStream_t a,b; cudaStreamCreateWithFlags(&a,cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b,cudaStreamNonBlocking); cudaMallocHost((void**)&h,4); *h=0; cudaMalloc(&x,4); cudaMalloc(&o,4);
 follow<<<1,1,0,a>>>(h);
 void *args[]={&x,&o};
 const void *kk = mean_f32(); cudaLaunchKernel(kk, 1, 1, args, 0, b); cudaStreamSynchronize(b); *h=1; cudaDeviceSynchronize(); }
