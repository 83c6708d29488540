#pragma once
#include <array>
#include "device_array.cuh"
#include "mailbox.h"

namespace gw {

using LimitTable = DeviceArray<float>;

class Gateway {
public:
    explicit Gateway(LimitTable limits);
    ~Gateway();

    void start();
    void stop();
    void switch_table(LimitTable incoming);
    void check(const std::array<Order, kBatch>& in, std::array<int, kBatch>& out);

private:
    void post(Op op, uint64_t arg = 0);

    LimitTable active_;
    Mailbox* box_ = nullptr;
    Mailbox* box_dev_ = nullptr;
    cudaStream_t stream_ = nullptr;
    uint32_t seq_ = 0;
    bool running_ = false;
};

}  // namespace gw
