// codecs.cuh - the device codecs and their run-time description
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string_view>
#include <variant>

namespace codec {

struct Delta   { int stride; };
struct ZigZag  { };
struct Plane   { int bits; unsigned mask; };

using Any = std::variant<Delta, ZigZag, Plane>;

template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;

struct Block {
    const int *src;
    int       *dst;
    int        count;
};

inline std::string_view name(const Any &a)
{
    return std::visit(overloaded{
        [](const Delta &)  { return std::string_view{"delta"}; },
        [](const ZigZag &) { return std::string_view{"zigzag"}; },
        [](const Plane &)  { return std::string_view{"plane"}; },
    }, a);
}

// what one element of the output has to be
inline int reference(const Any &a, const int *src, int i)
{
    return std::visit(overloaded{
        [&](const Delta &d)  { return i >= d.stride ? src[i] - src[i - d.stride] : src[i]; },
        [&](const ZigZag &)  { return (src[i] << 1) ^ (src[i] >> 31); },
        [&](const Plane &p)  { return static_cast<int>((static_cast<unsigned>(src[i]) >> p.bits) & p.mask); },
    }, a);
}

void encode(const Any &a, Block b, cudaStream_t stream);

} // namespace codec
