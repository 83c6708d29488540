#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace router {

constexpr int kBatch = 128;
constexpr std::uint32_t kBuckets = 1u << 16;

struct Route {
    std::uint32_t prefix;    // upper 16 bits of the address
    std::uint32_t next_hop;
};

struct Options {
    int device = 0;
    std::uint32_t default_hop = 1;
    std::size_t max_routes = 4096;
};

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

// Mapped page shared with the forwarding kernel.
struct Mailbox {
    volatile std::uint32_t request;     // sequence number of the newest batch
    volatile std::uint32_t response;    // sequence number of the newest answer
    volatile std::uint32_t shutdown;
    volatile std::uint32_t address[kBatch];
    volatile std::uint32_t hop[kBatch];
};

// kernels of table.cu
void launch_install(std::uint32_t* table, const Route* routes, int n, cudaStream_t s);

// Forwarding plane. One resident kernel answers batches of addresses between start() and stop();
// routes can be published at any time.
class ForwardingPlane {
  public:
    explicit ForwardingPlane(const Options& opt);
    ~ForwardingPlane();
    ForwardingPlane(const ForwardingPlane&) = delete;
    ForwardingPlane& operator=(const ForwardingPlane&) = delete;

    void start();
    void stop();
    void publish(const std::vector<Route>& routes);
    void resolve(const std::vector<std::uint32_t>& addresses, std::vector<std::uint32_t>& hops);

  private:
    Options opt_;
    cudaStream_t data_ = nullptr;
    cudaStream_t control_ = nullptr;
    Mailbox* box_ = nullptr;
    Mailbox* box_dev_ = nullptr;
    Route* staging_ = nullptr;
    Route* routes_ = nullptr;
    std::uint32_t* table_ = nullptr;
    std::uint32_t seq_ = 0;
    bool running_ = false;
};

}  // namespace router
