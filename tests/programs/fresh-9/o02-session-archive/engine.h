#pragma once
#include <cuda_runtime.h>
#include <cstdint>

enum class Op : int { Attach = 1, Add = 2, Notional = 3, Halt = 4 };

struct Mailbox {
    volatile uint32_t posted;
    volatile uint32_t served;
    volatile int op;
    volatile int price;
    volatile long long qty;
    long long* volatile levels;
    volatile int depth;
    volatile long long answer;
};

// One block lives on the device for the whole trading week and serves orders in arrival order.
class Engine {
public:
    Engine();
    ~Engine();
    Engine(const Engine&) = delete;
    void start();
    void attach(long long* levels, int depth);
    void add(int price, long long qty);
    long long notional();
    void halt();

private:
    void post(Op op);
    Mailbox* box_ = nullptr;
    Mailbox* boxOnDevice_ = nullptr;
    cudaStream_t stream_ = nullptr;
    bool running_ = false;
};
