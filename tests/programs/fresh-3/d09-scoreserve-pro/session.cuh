#pragma once
#include <map>
#include <mutex>
#include <vector>
#include <cstdio>
#include <cstdlib>
#include "model.cuh"

#define CK(call)                                             \
    do {                                                     \
        cudaError_t e_ = (call);                             \
        if (e_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(e_)); \
            std::fflush(stdout);                             \
            std::_Exit(1);                                   \
        }                                                    \
    } while (0)

// Executes padded batches; every bucket size has its own instantiated graph.
class Session {
public:
    Session(const std::vector<int>& buckets, const std::vector<int8_t>& weights);
    ~Session();
    int bucket_of(int rows) const;
    std::vector<float> infer(const std::vector<float>& rows_data, int rows);

private:
    struct Plan {
        int rows = 0;
        std::vector<float> calib;
        cudaGraphExec_t exec{};
    };
    Plan record(int bucket);

    cudaStream_t stream_{};
    std::map<int, Plan> plans_;
    std::mutex m_;
    int8_t* d_w_ = nullptr;
    float *d_calib_ = nullptr, *d_wf_ = nullptr, *d_x_ = nullptr, *d_y_ = nullptr;
    float *h_x_ = nullptr, *h_y_ = nullptr;
};
