#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace desk {

[[noreturn]] inline void die(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

#define DESK_TRY(call)                             \
    do {                                           \
        const cudaError_t rc_ = (call);            \
        if (rc_ != cudaSuccess) ::desk::die(rc_);  \
    } while (0)

constexpr int kSymbols = 64;
constexpr unsigned kRing = 256;

struct Order {
    int symbol;
    int signedQty;
    int limit;
    int account;
};

// Lives in mapped host memory; the gateway writes head, the book writes tail.
struct Wire {
    volatile unsigned head;
    volatile unsigned tail;
    volatile int closing;
    int reserved;
    volatile Order ring[kRing];
};

// The matching book. Orders go in through the wire and are applied on the device.
class Book {
public:
    Book();
    ~Book();
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    void openSession();
    void submit(const Order& o);
    void awaitIdle() const;
    void closeSession();

    const int* positions() const { return positions_; }

private:
    Wire* wire_ = nullptr;
    Wire* wireDev_ = nullptr;
    int* positions_ = nullptr;
    cudaStream_t lane_ = nullptr;
};

struct Exposure {
    long long gross;
    long long net;
};

// Exposure reports for the risk department, taken from the live book.
class RiskDesk {
public:
    explicit RiskDesk(const Book& book);
    ~RiskDesk();
    Exposure report();

private:
    const int* positions_;
    Exposure* dev_ = nullptr;
    Exposure* host_ = nullptr;
    cudaStream_t lane_ = nullptr;
    int width_ = 0;
};

int haircutOf(int symbol);

}  // namespace desk
