#pragma once
#include <cuda_runtime.h>
#include <vector>

namespace desk {

struct Order {
    int side;   // +1 bid, -1 ask
    int price;  // tick index
    int qty;
    int account;
};

constexpr unsigned kSlots = 256;

// Shared between host and device, one writer per field.
struct Mailbox {
    volatile unsigned head;
    volatile unsigned tail;
    volatile int closing;
    volatile int slots[kSlots][4];
};

// Keeps the book in device memory; orders are applied by a loop that lives on the device
// for the length of a trading session.
class Matcher {
public:
    explicit Matcher(int levels);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    void open();
    void submit(const Order& order);
    void settle();
    void close();

    const int* depth() const { return depth_; }
    int levels() const { return levels_; }

private:
    int levels_;
    int* depth_ = nullptr;
    Mailbox* box_ = nullptr;
    Mailbox* boxOnDevice_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

}  // namespace desk
