#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace db {

inline void ok(cudaError_t status) {
    if (status != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Table {
    int rows = 0;
    const int* key = nullptr;     // device columns
    const int* amount = nullptr;
};

// SELECT SUM(amount * weight) FROM table WHERE key BETWEEN low AND high
struct Statement {
    int low;
    int high;
    int weight;
};

struct Plan {
    cudaGraphExec_t exec = nullptr;
    Statement* binding = nullptr;          // pinned parameters
    Statement* bound = nullptr;            // device copy of the parameters
    unsigned long long* sum = nullptr;     // device
    unsigned long long* answer = nullptr;  // pinned
    unsigned long long sample = 0;         // answer of the trial run
};

// Turns statements into plans that can be executed many times.
class Planner {
public:
    Planner(const Table& table, cudaStream_t stream);
    Planner(const Planner&) = delete;
    Planner& operator=(const Planner&) = delete;

    Plan prepare(const Statement& statement);
    static void drop(Plan& plan);

private:
    void enqueue(const Plan& plan);

    Table table_;
    cudaStream_t stream_;
};

}  // namespace db
