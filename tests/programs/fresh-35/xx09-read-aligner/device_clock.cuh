// Stands for work whose cost matters and whose result does not.
#pragma once

namespace readmap {

__device__ inline void spendMicros(unsigned micros) {
    unsigned long long now, until;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    until = now + 1000ull * micros;
    while (now < until) {
        __nanosleep(2000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    }
}

}  // namespace readmap
