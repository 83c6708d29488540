#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>

namespace slam {

[[noreturn]] inline void fail(const char* name)
{
    std::printf("ERROR %s\n", name ? name : "unknown");
    std::fflush(stdout);
    std::_Exit(1);
}

inline void ok(cudaError_t e)
{
    if (e != cudaSuccess) fail(cudaGetErrorName(e));
}

inline void ok(CUresult r)
{
    if (r == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(r, &name);
    fail(name);
}

constexpr int kDevice = 0;
constexpr int kScans = 40;
constexpr int kRingDepth = 4;
constexpr int kParticles = 512;
constexpr int kCells = 4096;

struct Particle {
    int cell;
    int weight;
};

__host__ __device__ inline Particle particleOf(int scan, int i)
{
    unsigned h = scan * 2654435761u + i * 2246822519u;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return Particle{static_cast<int>(h >> 20), static_cast<int>(h & 63u)};
}

#ifdef __CUDACC__
__device__ inline void settle(unsigned long long ns)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ns);
}
#endif

// A counter in device memory that streams advance and wait for.
class SequenceWord {
public:
    SequenceWord()
    {
        ok(cudaMalloc(reinterpret_cast<void**>(&word_), sizeof(*word_)));
        ok(cudaMemset(word_, 0, sizeof(*word_)));
        ok(cudaDeviceSynchronize());
    }
    ~SequenceWord() { cudaFree(word_); }
    SequenceWord(const SequenceWord&) = delete;
    SequenceWord& operator=(const SequenceWord&) = delete;

    void advance(cudaStream_t stream, std::uint32_t value)
    {
        ok(cuStreamWriteValue32(stream, address(), value, CU_STREAM_WRITE_VALUE_DEFAULT));
    }
    void reach(cudaStream_t stream, std::uint32_t value)
    {
        ok(cuStreamWaitValue32(stream, address(), value, CU_STREAM_WAIT_VALUE_GEQ));
    }

private:
    CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(word_); }
    std::uint32_t* word_ = nullptr;
};

// Poses on their way from localisation to mapping.
struct PoseRing {
    PoseRing() { ok(cudaMalloc(reinterpret_cast<void**>(&slots), sizeof(Particle) * kParticles * kRingDepth)); }
    ~PoseRing() { cudaFree(slots); }
    Particle* slot(int scan) const { return slots + (scan % kRingDepth) * kParticles; }

    Particle* slots = nullptr;
    SequenceWord published;
    SequenceWord released;
};

// A component of the robot with a stream of its own, driven by a thread.
class Node {
public:
    Node() { ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    virtual ~Node() { cudaStreamDestroy(stream_); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual void spin() = 0;
    void join() { ok(cudaStreamSynchronize(stream_)); }

protected:
    cudaStream_t stream_ = nullptr;
};

}  // namespace slam
