// Operations on ragged batches: many sequences of different length, one after the other in one array.
//
//     ragged::Workspace ws(64);
//     ragged::affine(ws, x, y, segments, stream);
//     ragged::clamp(ws, y, y, segments, stream);
//
// All functions only enqueue work in `stream` and may be called while it is being captured; a captured sequence
// can be launched any number of times, for as long as the workspace lives. The list of segments is the caller's
// and need not outlive the call. A workspace serves one stream at a time, on one host thread, graphs included.
#pragma once

#include "workspace.h"

#include <vector>

namespace ragged {

namespace detail {

template <typename T, typename Op>
__global__ void forSegments(const Segment* table, const T* in, T* out, Op op) {
    const Segment s = table[blockIdx.y];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < s.length; i += gridDim.x * blockDim.x)
        out[s.begin + i] = op(in[s.begin + i], s);
}

template <typename T>
struct Affine {
    __device__ T operator()(T v, const Segment& s) const { return v * T(s.a) + T(s.b); }
};

template <typename T>
struct Clamp {
    __device__ T operator()(T v, const Segment& s) const { return v < T(s.a) ? T(s.a) : v > T(s.b) ? T(s.b) : v; }
};

template <typename Op, typename T>
void apply(Workspace& ws, const T* in, T* out, const std::vector<Segment>& segments, Op op, cudaStream_t stream) {
    if (segments.empty()) return;
    const Segment* table = ws.upload(segments.data(), static_cast<int>(segments.size()), stream);
    forSegments<T><<<dim3(4, static_cast<unsigned>(segments.size())), 128, 0, stream>>>(table, in, out, op);
    check(cudaGetLastError());
}

}  // namespace detail

// out = a * in + b, with a and b of the segment.
template <typename T>
void affine(Workspace& ws, const T* in, T* out, const std::vector<Segment>& segments, cudaStream_t stream) {
    detail::apply(ws, in, out, segments, detail::Affine<T>{}, stream);
}

// out = in, not below a and not above b of the segment.
template <typename T>
void clamp(Workspace& ws, const T* in, T* out, const std::vector<Segment>& segments, cudaStream_t stream) {
    detail::apply(ws, in, out, segments, detail::Clamp<T>{}, stream);
}

}  // namespace ragged
