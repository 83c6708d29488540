#include "codec.h"

namespace {
struct DifferentialCode {
    static __host__ __device__ unsigned term(const unsigned char* symbols, int i)
    {
        unsigned before = i ? symbols[i - 1] : 0u;
        return (symbols[i] ^ before) * static_cast<unsigned>(i + 1);
    }
    static bool verify(ICodec& codec, cudaStream_t stream) { return decodePattern(codec, stream); }
};
}  // namespace
std::unique_ptr<ICodec> makeInnerCodec()
{
    return std::make_unique<BlockCodec<DifferentialCode>>();
}
