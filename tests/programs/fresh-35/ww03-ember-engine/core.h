// Ember engine - core containers and allocators.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <cuda_runtime.h>

namespace ember {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
constexpr u32 kFramesInFlight = 2;

#define EMBER_CHECK(expr) \
    do { if (cudaError_t err_ = (expr); err_ != cudaSuccess) ember::Fatal(err_); } while (0)

[[noreturn]] inline void Fatal(cudaError_t err) {
    std::printf("ERROR %s\n", cudaGetErrorName(err));
    std::fflush(stdout);
    std::_Exit(1);
}

template <typename T, u32 N>
class FixedArray {
public:
    void Push(const T& v) { m_items[m_count++] = v; }
    u32 Count() const { return m_count; }
    T& operator[](u32 i) { return m_items[i]; }
private:
    T m_items[N] = {};
    u32 m_count = 0;
};

// Bump allocator over page-locked memory.
class LinearArena {
public:
    void Init(size_t bytes) {
        EMBER_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&m_base), bytes, cudaHostAllocDefault));
        m_size = bytes;
    }
    void Reset() { m_used = 0; }
    template <typename T>
    T* New() {
        size_t at = (m_used + alignof(T) - 1) & ~(alignof(T) - 1);
        if (at + sizeof(T) > m_size) Fatal(cudaErrorMemoryAllocation);
        m_used = at + sizeof(T);
        return new (m_base + at) T();
    }
private:
    u8* m_base = nullptr;
    size_t m_size = 0, m_used = 0;
};

// One device allocation, carved up at start-up.
class GpuHeap {
public:
    void Init(size_t bytes) {
        EMBER_CHECK(cudaMalloc(reinterpret_cast<void**>(&m_base), bytes));
        EMBER_CHECK(cudaMemset(m_base, 0, bytes));
    }
    template <typename T>
    T* Carve(u32 count) {
        T* p = reinterpret_cast<T*>(m_base + m_used);
        m_used += (count * sizeof(T) + 255) & ~size_t(255);
        return p;
    }
private:
    u8* m_base = nullptr;
    size_t m_used = 0;
};

}  // namespace ember
