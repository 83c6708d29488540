#pragma once

#include "channel.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace gw {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e)
{
    if (e != cudaSuccess)
        throw CudaError(e);
}

struct Quote {
    int batch = -1;
    std::uint64_t notional = 0;
};

using QuoteChannel = BoundedChannel<Quote>;

// Prices batches of ticks on the device and hands a quote per batch to the outgoing channel.
class Pricer {
public:
    Pricer(QuoteChannel& out, int max_batches, int ticks);
    ~Pricer();
    Pricer(const Pricer&) = delete;
    Pricer& operator=(const Pricer&) = delete;

    void submit(int batch);
    void flush();

private:
    struct Ticket {
        QuoteChannel* out;
        const std::uint64_t* value;
        int batch;
    };
    static void CUDART_CB deliver(void* p);

    QuoteChannel& out_;
    int ticks_;
    cudaStream_t stream_ = nullptr;
    std::uint64_t* d_sum_ = nullptr;
    std::uint64_t* h_sum_ = nullptr;
    std::vector<std::unique_ptr<Ticket>> tickets_;
};

}  // namespace gw
