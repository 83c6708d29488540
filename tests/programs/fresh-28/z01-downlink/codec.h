#pragma once
#include <memory>
#include <vector>
#include "common.h"

// A channel code.  decode() is asynchronous in `stream` and leaves the digest
// of the decoded frame in *digest (device accessible).
class ICodec {
public:
    virtual ~ICodec() = default;
    virtual bool selfTest(cudaStream_t stream) = 0;
    virtual void decode(const unsigned char* in, int n, unsigned* digest, cudaStream_t stream) = 0;
    virtual unsigned reference(const unsigned char* symbols, int count) const = 0;
};

std::unique_ptr<ICodec> makeInnerCodec();
std::unique_ptr<ICodec> makeOuterCodec();

template <class Code>
__global__ void decodeFrame(const unsigned char* symbols, int count, unsigned* digest)
{
    __shared__ unsigned total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += Code::term(symbols, i);
    atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) *digest = total;
}

template <class Code>
class BlockCodec : public ICodec {
public:
    bool selfTest(cudaStream_t stream) override { return Code::verify(*this, stream); }

    void decode(const unsigned char* in, int n, unsigned* digest, cudaStream_t stream) override
    {
        decodeFrame<Code><<<1, 256, 0, stream>>>(in, n, digest);
        CU_OK(cudaGetLastError());
    }
    unsigned reference(const unsigned char* symbols, int count) const override
    {
        unsigned sum = 0;
        for (int i = 0; i < count; ++i) sum += Code::term(symbols, i);
        return sum;
    }
};

// Decodes a known frame and compares it with the reference on the host.
inline bool decodePattern(ICodec& codec, cudaStream_t stream)
{
    std::vector<unsigned char> pattern(LinkConfig{}.symbolsPerFrame);
    const int count = static_cast<int>(pattern.size());
    for (int i = 0; i < count; ++i) pattern[i] = symbolAt(0xfeedu, i);
    unsigned got = 0, *digest = nullptr;
    unsigned char* symbols = nullptr;
    CU_OK(cudaMalloc(&symbols, count));
    CU_OK(cudaMalloc(&digest, sizeof got));
    CU_OK(cudaMemcpy(symbols, pattern.data(), count, cudaMemcpyHostToDevice));
    codec.decode(symbols, count, digest, stream);
    CU_OK(cudaStreamSynchronize(stream));
    CU_OK(cudaMemcpy(&got, digest, sizeof got, cudaMemcpyDeviceToHost));
    cudaFree(digest);
    cudaFree(symbols);
    return got == codec.reference(pattern.data(), count);
}
