#pragma once
#include "thread_pool.h"

#include <cuda_runtime.h>

#include <vector>

inline constexpr int kDetections = 512;

struct Detection {
    int x, y, score;
};

// Per camera: detect on the device, associate on the host, refine on the device.
class Camera {
public:
    Camera(int id, ThreadPool& pool);
    ~Camera();
    Camera(const Camera&) = delete;
    Camera& operator=(const Camera&) = delete;

    long long process();
    static long long expected(int id);

private:
    static void on_detected(void* self);
    void associate();

    int id_;
    ThreadPool& pool_;
    cudaStream_t stream_{};
    Detection* dev_ = nullptr;
    Detection* host_ = nullptr;
    int* tracks_host_ = nullptr;
    int* tracks_dev_ = nullptr;
    long long* sum_dev_ = nullptr;
    long long* sum_host_ = nullptr;
};
