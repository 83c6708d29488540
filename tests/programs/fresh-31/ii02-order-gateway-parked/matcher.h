#pragma once

#include <cuda_runtime.h>

#include "device_buffer.h"
#include "types.h"

namespace gw {

class Matcher {
public:
    explicit Matcher(const GatewayConfig& config);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    void open();
    void post(const Order& order);
    void settle() const;
    void close();
    std::int32_t last_reference() const;

private:
    Mailbox* box_ = nullptr;
    Mailbox* box_on_device_ = nullptr;
    DeviceBuffer<std::int32_t> reference_;
    cudaStream_t stream_ = nullptr;
    bool running_ = false;
};

}  // namespace gw
