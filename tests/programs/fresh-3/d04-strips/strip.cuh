#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include "params.h"

inline void require(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

// One horizontal strip of the plate: row 0 and row rows+1 are ghost/boundary rows.
class Strip {
public:
    Strip(const Params& p, bool contact_at_bottom);
    ~Strip();
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;

    void upload(const std::vector<float>& field);
    std::vector<float> download() const;

    void advance_contact(float heat);
    void advance_bulk();
    void swap() { std::swap(cur_, next_); }

    void mark_contact() { require(cudaEventRecord(contact_ready_, compute_)); }
    void send_contact_to(Strip& peer);
    void await_ghost() { require(cudaStreamWaitEvent(compute_, ghost_filled_, 0)); }
    void finish() {
        require(cudaStreamSynchronize(exchange_));
        require(cudaStreamSynchronize(compute_));
    }

private:
    size_t bytes() const { return sizeof(float) * size_t(p_.nx) * (p_.rows + 2); }
    int contact_row() const { return bottom_ ? p_.rows : 1; }
    int ghost_row() const { return bottom_ ? p_.rows + 1 : 0; }

    const Params p_;
    const bool bottom_;
    cudaStream_t compute_{}, exchange_{};
    cudaEvent_t contact_ready_{}, ghost_filled_{};
    float* cur_ = nullptr;
    float* next_ = nullptr;
};
