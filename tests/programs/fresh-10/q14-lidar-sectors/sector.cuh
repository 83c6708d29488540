#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace lidar {

constexpr int kPoints = 1 << 14;

inline void guard(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

__device__ inline void busy(unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

class Task {
public:
    virtual ~Task() = default;
    virtual void enqueue(int revolution) = 0;
    virtual void wait() = 0;
};

// Removes the ground from one sector of the revolution.
class Sector : public Task {
public:
    explicit Sector(int index);
    ~Sector() override;
    void enqueue(int revolution) override;
    void wait() override;
    int mistakes(int revolution) const;

private:
    int index_;
    cudaStream_t stream_ = nullptr;
    int* heights_ = nullptr;
    int* objects_ = nullptr;
    int* hostHeights_ = nullptr;
    int* hostObjects_ = nullptr;
};

// Counts revolutions on the device for the watchdog of the vehicle.
class Heartbeat : public Task {
public:
    Heartbeat();
    ~Heartbeat() override;
    void enqueue(int revolution) override;
    void wait() override;
    int beats() const { return beats_; }

private:
    int* counter_ = nullptr;
    int beats_ = 0;
};

}  // namespace lidar
