#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define GPU(x)                                                  \
    do {                                                        \
        if (cudaError_t e_ = (x)) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));    \
            std::fflush(stdout);                                \
            std::_Exit(1);                                      \
        }                                                       \
    } while (0)

namespace risk {

// Positions of one desk, on the host (pinned) and on the device.
struct Book {
    int n = 0;
    double* prices = nullptr;
    double* losses = nullptr;
    double* d_prices = nullptr;
    double* d_losses = nullptr;

    Book(int count, int desk);
    ~Book();
    Book(const Book&) = delete;
};

// Values the book under one scenario on the calling thread's stream and returns the total loss.
double revalue(Book& book, double shock);

}  // namespace risk
