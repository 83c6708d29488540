#pragma once
#include <memory>
#include <vector>
#include "fee_table.h"

struct Order {
    int symbol;
    int tier;
    int quantity;
    int price;
};

constexpr unsigned kRing = 1024;

// Shared with the device through mapped host memory.
struct Mailbox {
    volatile unsigned head;
    volatile unsigned tail;
    volatile unsigned stop;
    unsigned pad;
    const int* volatile rates;
    volatile Order orders[kRing];
    volatile long long fees[kRing];
};

// Prices orders with a kernel that stays on the device for the whole trading day.
class Engine {
public:
    enum class State { Idle, Running, Halted };

    explicit Engine(std::unique_ptr<FeeTable> first);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    ~Engine();

    void start();
    std::vector<long long> price(const std::vector<Order>& batch);
    void adopt(std::unique_ptr<FeeTable> next);
    void stop();
    int version() const { return current_->version(); }

private:
    State state_ = State::Idle;
    cudaStream_t stream_ = nullptr;
    Mailbox* box_ = nullptr;
    Mailbox* deviceBox_ = nullptr;
    std::unique_ptr<FeeTable> current_;
    std::vector<std::unique_ptr<FeeTable>> retired_;
};
