#pragma once
#include "check.h"
#include <cstdint>

namespace exch {

struct Order {
    int symbol;
    int quantity;
};

struct Mailbox {
    volatile std::uint32_t request;
    volatile std::uint32_t reply;
    volatile std::uint32_t closed;
    volatile int symbol;
    volatile int quantity;
    volatile int position;
};

// Owns the resident matching kernel and its mailbox.
class Matcher {
public:
    Matcher();
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    void open(int* positions, int symbols);
    int submit(const Order& o);
    void close();

private:
    cudaStream_t stream_{};
    Mailbox* box_ = nullptr;
    Mailbox* boxDev_ = nullptr;
    bool running_ = false;
};

}  // namespace exch
