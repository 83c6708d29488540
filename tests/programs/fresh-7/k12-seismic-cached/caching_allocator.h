#pragma once

#include <cuda_runtime.h>

#include <list>
#include <map>

/**
 * Device allocator with a cache of freed blocks.
 *
 * A block remembers the stream it was allocated for and is given again to requests for the same stream. Sizes are rounded up to powers of two. The cache holds at most
 * max_cached_bytes.
 */
class CachingAllocator
{
public:
    explicit CachingAllocator(size_t max_cached_bytes = (6 << 20) - 1)
        : max_cached_bytes_(max_cached_bytes), cached_bytes_(0) {}

    ~CachingAllocator() { FreeAllCached(); }

    cudaError_t DeviceAllocate(void **d_ptr, size_t bytes, cudaStream_t stream)
    {
        Block wanted;
        wanted.bytes = RoundUp(bytes);
        wanted.stream = stream;
        for (std::list<Block>::iterator it = cached_.begin(); it != cached_.end(); ++it)
        {
            if (it->stream == stream && it->bytes == wanted.bytes)
            {
                cached_bytes_ -= it->bytes;
                live_[it->d_ptr] = *it;
                *d_ptr = it->d_ptr;
                cached_.erase(it);
                return cudaSuccess;
            }
        }
        cudaError_t error = cudaMalloc(&wanted.d_ptr, wanted.bytes);
        if (error != cudaSuccess)
            return error;
        live_[wanted.d_ptr] = wanted;
        *d_ptr = wanted.d_ptr;
        return cudaSuccess;
    }

    cudaError_t DeviceFree(void *d_ptr)
    {
        std::map<void *, Block>::iterator it = live_.find(d_ptr);
        if (it == live_.end())
            return cudaErrorInvalidValue;
        Block block = it->second;
        live_.erase(it);
        if (cached_bytes_ + block.bytes <= max_cached_bytes_)
        {
            cached_bytes_ += block.bytes;
            cached_.push_back(block);
            return cudaSuccess;
        }
        return cudaFree(d_ptr);
    }

    cudaError_t FreeAllCached()
    {
        cudaError_t error = cudaSuccess;
        for (std::list<Block>::iterator it = cached_.begin(); it != cached_.end(); ++it)
        {
            cudaError_t e = cudaFree(it->d_ptr);
            if (e != cudaSuccess)
                error = e;
        }
        cached_.clear();
        cached_bytes_ = 0;
        return error;
    }

private:
    struct Block
    {
        void *d_ptr;
        size_t bytes;
        cudaStream_t stream;
        Block() : d_ptr(0), bytes(0), stream(0) {}
    };

    static size_t RoundUp(size_t bytes)
    {
        size_t bin = 512;
        while (bin < bytes)
            bin *= 2;
        return bin;
    }

    size_t max_cached_bytes_;
    size_t cached_bytes_;
    std::list<Block> cached_;
    std::map<void *, Block> live_;
};
