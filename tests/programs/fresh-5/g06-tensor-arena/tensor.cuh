// Tensors with lazily evaluated element-wise expressions.
#pragma once
#include <type_traits>
#include <utility>

#include "arena.h"

namespace tl {

template <class T>
struct Expr {
    __host__ __device__ const T& self() const { return static_cast<const T&>(*this); }
};

struct View : Expr<View> {
    const float* p;
    __host__ explicit View(const float* q) : p(q) {}
    __device__ float at(std::size_t i) const { return p[i]; }
};

struct Constant : Expr<Constant> {
    float v;
    __host__ explicit Constant(float x) : v(x) {}
    __device__ float at(std::size_t) const { return v; }
};

struct Plus { __device__ static float apply(float a, float b) { return a + b; } };
struct Minus { __device__ static float apply(float a, float b) { return a - b; } };
struct Times { __device__ static float apply(float a, float b) { return a * b; } };

template <class F, class L, class R>
struct Binary : Expr<Binary<F, L, R>> {
    L l;
    R r;
    __host__ Binary(const L& a, const R& b) : l(a), r(b) {}
    __device__ float at(std::size_t i) const { return F::apply(l.at(i), r.at(i)); }
};

template <class L, class R>
Binary<Plus, L, R> operator+(const Expr<L>& l, const Expr<R>& r) { return {l.self(), r.self()}; }
template <class L, class R>
Binary<Minus, L, R> operator-(const Expr<L>& l, const Expr<R>& r) { return {l.self(), r.self()}; }
template <class L, class R>
Binary<Times, L, R> operator*(const Expr<L>& l, const Expr<R>& r) { return {l.self(), r.self()}; }

// Every pass takes at least `floor_us` microseconds.
template <class E>
__global__ void assign(E e, float* out, std::size_t n, unsigned floor_us) {
    unsigned long long t, end;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    end = t + 1000ull * floor_us;
    while (t < end) {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    }
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = e.at(i);
}

class Tensor {
public:
    Tensor(Arena::Block block, std::size_t n) : block_(std::move(block)), n_(n) {}
    std::size_t size() const { return n_; }
    float* data() const { return block_.get(); }
    View operator()() const { return View(block_.get()); }

private:
    Arena::Block block_;
    std::size_t n_;
};

struct Context {
    std::shared_ptr<Arena> arena;
    cudaStream_t stream;
    unsigned floor_us;

    template <class E>
    Tensor eval(const Expr<E>& e, std::size_t n) const {
        Tensor out(arena->take(n), n);
        assign<<<24, 128, 0, stream>>>(e.self(), out.data(), n, floor_us);
        TL_CHECK(cudaGetLastError());
        return out;
    }
};

// (2x + 1)^2 - x
inline Tensor contrast(const Context& ctx, const Tensor& x) {
    const Tensor y = ctx.eval(Constant(2.f) * x() + Constant(1.f), x.size());
    return ctx.eval(y() * y() - x(), x.size());
}

}  // namespace tl
