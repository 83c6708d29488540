#include "codec.h"

namespace {
struct GfTables {
    unsigned char exp[512], log[256];
};

constexpr GfTables makeGfTables()
{
    GfTables t{};
    unsigned x = 1;
    for (int i = 0; i < 255; ++i) {
        t.exp[i] = t.exp[i + 255] = static_cast<unsigned char>(x);
        t.log[x] = static_cast<unsigned char>(i);
        x <<= 1;
        if (x & 0x100u) x ^= 0x11du;
    }
    return t;
}

constexpr GfTables kHostGf = makeGfTables();
__constant__ GfTables kGf = makeGfTables();

// Occurrences of each product, for the link budget tool.
__device__ unsigned gProducts[1 << 18];

struct GaloisCode {
    static __host__ __device__ unsigned term(const unsigned char* symbols, int i)
    {
        if (symbols[i] == 0) return 0;
#ifdef __CUDA_ARCH__
        unsigned product = kGf.exp[kGf.log[symbols[i]] + i % 255];
        atomicAdd(&gProducts[(i / 255) << 8 | product], 1u);
#else
        unsigned product = kHostGf.exp[kHostGf.log[symbols[i]] + i % 255];
#endif
        return product * static_cast<unsigned>(i / 255 + 1);
    }
    static bool verify(ICodec&, cudaStream_t)
    {
        for (unsigned a = 1; a < 256; ++a)
            if (kHostGf.exp[kHostGf.log[a]] != a) return false;
        return true;
    }
};
}  // namespace
std::unique_ptr<ICodec> makeOuterCodec()
{
    return std::make_unique<BlockCodec<GaloisCode>>();
}
