#pragma once

static __device__ __forceinline__ unsigned long long device_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    return t;
}

static __device__ __forceinline__ void device_until(unsigned long long t0, long long ns) {
    while (device_ns() - t0 < (unsigned long long)ns) { }
}
