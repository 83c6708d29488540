#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace codec {

inline void throw_if(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// Scratch memory of one lane; keeps its allocation between tiles.
class Workspace {
public:
    Workspace() = default;
    ~Workspace() { release(); }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    template <class T>
    T* reserve(std::size_t count)
    {
        const std::size_t bytes = count * sizeof(T);
        if (bytes > capacity_) {
            release();
            throw_if(cudaMalloc(&memory_, bytes));
            capacity_ = bytes;
        }
        return static_cast<T*>(memory_);
    }

private:
    void release()
    {
        if (memory_) cudaFree(memory_);
        memory_ = nullptr;
        capacity_ = 0;
    }

    void* memory_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace codec
