#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(x) check_((x))
inline void check_(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

constexpr int kSymbols = 256;

// Symbol statistics of one tile and the code lengths derived from them.
class SymbolModel {
public:
    SymbolModel();
    ~SymbolModel();
    SymbolModel(const SymbolModel&) = delete;
    SymbolModel& operator=(const SymbolModel&) = delete;

    void build(const uint8_t* tile, int n, cudaStream_t stream);
    void fetch(uint32_t* counts, uint8_t* lengths, cudaStream_t stream) const;

private:
    uint32_t* counts_ = nullptr;
    uint8_t* lengths_ = nullptr;
};
