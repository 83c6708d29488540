// Sums and sequences over ranges.
#pragma once
#include "algorithm.h"

namespace std {

template <class In, class T>
T accumulate(In first, In last, T sum) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}

template <class In, class T, class Op>
T accumulate(In first, In last, T sum, Op op) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        op(sum, *first);
        return cudalint::unknown();
    }
    for (; first != last; ++first) sum = op(sum, *first);
    return sum;
}

template <class In, class T>
T reduce(In first, In last, T sum) {
    return std::accumulate(first, last, sum);
}

template <class In, class T, class Op>
T reduce(In first, In last, T sum, Op op) {
    return std::accumulate(first, last, sum, op);
}

template <class Out, class T>
void iota(Out first, Out last, T value) {
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        return;
    }
    for (; first != last; ++first) {
        *first = value;
        ++value;
    }
}

template <class A, class B, class T>
T inner_product(A first, A last, B other, T sum) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        cudalint::reads(other, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        sum = sum + *first * *other;
        ++other;
    }
    return sum;
}

template <class In, class Out>
Out partial_sum(In first, In last, Out out) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    auto sum = *first;
    for (In it = first; it != last; ++it) {
        if (it != first) sum = sum + *it;
        *out = sum;
        ++out;
    }
    return out;
}

template <class In, class Out>
Out inclusive_scan(In first, In last, Out out) {
    return std::partial_sum(first, last, out);
}

template <class In, class Out, class T>
Out exclusive_scan(In first, In last, Out out, T sum) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        T next = sum + *first;
        *out = sum;
        sum = next;
        ++out;
    }
    return out;
}

template <class In, class Out>
Out adjacent_difference(In first, In last, Out out) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    auto before = *first;
    for (In it = first; it != last; ++it) {
        auto value = *it;
        *out = it == first ? value : value - before;
        before = value;
        ++out;
    }
    return out;
}

template <class In, class T>
T transform_reduce(In first, In last, In other, T sum) {
    return std::inner_product(first, last, other, sum);
}

template <class T>
T gcd(T a, T b) {
    while (b != 0) {
        T rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

template <class T>
T lcm(T a, T b) {
    return a / std::gcd(a, b) * b;
}

}  // namespace std
