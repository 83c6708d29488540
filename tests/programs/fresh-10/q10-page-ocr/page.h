#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace ocr {

constexpr int kCells = 1 << 14;

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct PinnedDeleter {
    void operator()(void* p) const { cudaFreeHost(p); }
};

template <class T>
using Pinned = std::unique_ptr<T[], PinnedDeleter>;

template <class T>
Pinned<T> makePinned(std::size_t n) {
    void* p = nullptr;
    ok(cudaMallocHost(&p, n * sizeof(T)));
    return Pinned<T>(static_cast<T*>(p));
}

struct Page {
    int number;
    Pinned<unsigned char> ink;
    Pinned<char> text;

    explicit Page(int n) : number(n), ink(makePinned<unsigned char>(kCells)), text(makePinned<char>(kCells)) {
        for (int i = 0; i < kCells; ++i) ink[i] = static_cast<unsigned char>((i * 11 + n * 17) % 256);
    }
};

}  // namespace ocr
