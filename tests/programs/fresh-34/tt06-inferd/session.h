// session.h - one client of the inference server
#pragma once

#include "reactor.h"

#include <cuda_runtime.h>

#include <atomic>
#include <functional>
#include <vector>

namespace inferd {

constexpr int kFeatures = 4096;

struct Reply {
    int                client;
    std::vector<float> scores;
    cudaError_t        status;
};

class Session {
public:
    using OnReply = std::function<void(Reply)>;

    Session(int client, Reactor &reactor);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    // starts a request; `done` is called by the reactor
    cudaError_t request(const std::vector<float> &features, OnReply done);

private:
    static void CUDART_CB layer_finished(void *self);
    void emit();
    Reply collect();

    int          client_;
    Reactor     &reactor_;
    OnReply      done_;
    cudaStream_t stream_{};
    float       *d_in_{};
    float       *d_out_{};
    float       *pin_in_{};
    float       *pin_out_{};
    cudaError_t  setup_ = cudaSuccess;
};

} // namespace inferd
