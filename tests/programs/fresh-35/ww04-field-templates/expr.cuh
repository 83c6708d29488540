#pragma once
// fx: lazily evaluated device fields.  expr.cuh - expression nodes.

#include <type_traits>

namespace fx {

class Field;

template <class E>
struct Expr {
    const E& self() const { return static_cast<const E&>(*this); }
};

struct Ref : Expr<Ref> {
    const double* p;
    int n;
    __host__ __device__ Ref(const double* p_, int n_) : p(p_), n(n_) {}
    __device__ double operator()(int i) const { return p[i < 0 ? 0 : (i >= n ? n - 1 : i)]; }
};

struct Const : Expr<Const> {
    double v;
    __host__ __device__ explicit Const(double v_) : v(v_) {}
    __device__ double operator()(int) const { return v; }
};

template <class E, int D>
struct Shift : Expr<Shift<E, D>> {
    E e;
    explicit Shift(const E& e_) : e(e_) {}
    __device__ double operator()(int i) const { return e(i + D); }
};

struct Add { __device__ static double apply(double a, double b) { return a + b; } };
struct Sub { __device__ static double apply(double a, double b) { return a - b; } };
struct Mul { __device__ static double apply(double a, double b) { return a * b; } };

template <class Op, class L, class R>
struct Binary : Expr<Binary<Op, L, R>> {
    L l;
    R r;
    Binary(const L& l_, const R& r_) : l(l_), r(r_) {}
    __device__ double operator()(int i) const { return Op::apply(l(i), r(i)); }
};

// Operands: expressions, fields and numbers.
template <class E>
E operand(const Expr<E>& e) { return e.self(); }
inline Const operand(double v) { return Const(v); }
Ref operand(const Field& f);

template <class T>
inline constexpr bool is_term = std::is_same_v<T, Field> || std::is_base_of_v<Expr<T>, T>;

template <class A, class B>
using if_terms = std::enable_if_t<(is_term<A> && (is_term<B> || std::is_arithmetic_v<B>)) ||
                                  (std::is_arithmetic_v<A> && is_term<B>)>;

template <class Op, class A, class B>
auto combine(const A& a, const B& b)
{
    return Binary<Op, decltype(operand(a)), decltype(operand(b))>(operand(a), operand(b));
}

template <class A, class B, class = if_terms<A, B>>
auto operator+(const A& a, const B& b) { return combine<Add>(a, b); }
template <class A, class B, class = if_terms<A, B>>
auto operator-(const A& a, const B& b) { return combine<Sub>(a, b); }
template <class A, class B, class = if_terms<A, B>>
auto operator*(const A& a, const B& b) { return combine<Mul>(a, b); }

template <int D, class A>
auto shift(const A& a) { return Shift<decltype(operand(a)), D>(operand(a)); }

}  // namespace fx
