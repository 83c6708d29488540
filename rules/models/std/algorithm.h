// Algorithms over ranges. Short ranges are gone over one by one; of long ones only that they are read, or written, is known.
#pragma once
#include "iterator.h"

namespace std {

template <class In, class F>
F for_each(In first, In last, F f) {
    for (; first != last; ++first) f(*first);
    return f;
}

template <class In, class Size, class F>
In for_each_n(In first, Size count, F f) {
    for (Size i = 0; i < count; ++i) {
        f(*first);
        ++first;
    }
    return first;
}

template <class In, class Out, class Op>
Out transform(In first, In last, Out out, Op op) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        op(*first);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        *out = op(*first);
        ++out;
    }
    return out;
}

template <class In, class Other, class Out, class Op>
Out transform(In first, In last, Other other, Out out, Op op) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        cudalint::reads(other, last);
        op(*first, *other);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        *out = op(*first, *other);
        ++other;
        ++out;
    }
    return out;
}

template <class In, class Out>
Out copy(In first, In last, Out out) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        *out = *first;
        ++out;
    }
    return out;
}

template <class In, class Size, class Out>
Out copy_n(In first, Size count, Out out) {
    if (!cudalint::short_of(count)) {
        cudalint::reads(first, first);
        cudalint::writes(out, out);
        return cudalint::unknown();
    }
    for (Size i = 0; i < count; ++i) {
        *out = *first;
        ++first;
        ++out;
    }
    return out;
}

template <class In, class Out, class Predicate>
Out copy_if(In first, In last, Out out, Predicate predicate) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        predicate(*first);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        if (predicate(*first)) {
            *out = *first;
            ++out;
        }
    }
    return out;
}

template <class In, class Out>
Out copy_backward(In first, In last, Out end) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(end, last);
        return cudalint::unknown();
    }
    while (first != last) {
        --last;
        --end;
        *end = *last;
    }
    return end;
}

template <class Out, class T>
void fill(Out first, Out last, const T& value) {
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        return;
    }
    for (; first != last; ++first) *first = value;
}

template <class Out, class Size, class T>
Out fill_n(Out first, Size count, const T& value) {
    if (!cudalint::short_of(count)) {
        cudalint::writes(first, first);
        return cudalint::unknown();
    }
    for (Size i = 0; i < count; ++i) {
        *first = value;
        ++first;
    }
    return first;
}

template <class Out, class F>
void generate(Out first, Out last, F f) {
    if (!cudalint::few(first, last)) {
        f();
        cudalint::writes(first, last);
        return;
    }
    for (; first != last; ++first) *first = f();
}

template <class Out, class Size, class F>
Out generate_n(Out first, Size count, F f) {
    if (!cudalint::short_of(count)) {
        f();
        cudalint::writes(first, first);
        return cudalint::unknown();
    }
    for (Size i = 0; i < count; ++i) {
        *first = f();
        ++first;
    }
    return first;
}

template <class In, class T>
In find(In first, In last, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    for (; first != last; ++first) {
        if (*first == value) return first;
    }
    return last;
}

template <class In, class Predicate>
In find_if(In first, In last, Predicate predicate) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        predicate(*first);
        return cudalint::somewhere(first);
    }
    for (; first != last; ++first) {
        if (predicate(*first)) return first;
    }
    return last;
}

template <class In, class Predicate>
In find_if_not(In first, In last, Predicate predicate) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        predicate(*first);
        return cudalint::somewhere(first);
    }
    for (; first != last; ++first) {
        if (!predicate(*first)) return first;
    }
    return last;
}

template <class In, class Predicate>
bool any_of(In first, In last, Predicate predicate) {
    for (; first != last; ++first) {
        if (predicate(*first)) return true;
    }
    return false;
}

template <class In, class Predicate>
bool all_of(In first, In last, Predicate predicate) {
    for (; first != last; ++first) {
        if (!predicate(*first)) return false;
    }
    return true;
}

template <class In, class Predicate>
bool none_of(In first, In last, Predicate predicate) {
    for (; first != last; ++first) {
        if (predicate(*first)) return false;
    }
    return true;
}

template <class In, class T>
long count(In first, In last, const T& value) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        return cudalint::unknown();
    }
    long found = 0;
    for (; first != last; ++first) {
        if (*first == value) ++found;
    }
    return found;
}

template <class In, class Predicate>
long count_if(In first, In last, Predicate predicate) {
    long found = 0;
    for (; first != last; ++first) {
        if (predicate(*first)) ++found;
    }
    return found;
}

template <class In, class Other>
bool equal(In first, In last, Other other) {
    if (!cudalint::few(first, last)) {
        cudalint::reads(first, last);
        cudalint::reads(other, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        if (!(*first == *other)) return false;
        ++other;
    }
    return true;
}

template <class In, class Other>
bool equal(In first, In last, Other other, Other end) {
    cudalint::reads(first, last);
    cudalint::reads(other, end);
    return cudalint::unknown();
}

template <class In>
In max_element(In first, In last) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    In best = first;
    for (; first != last; ++first) {
        if (*best < *first) best = first;
    }
    return best;
}

template <class In, class Less>
In max_element(In first, In last, Less less) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    In best = first;
    for (; first != last; ++first) {
        if (less(*best, *first)) best = first;
    }
    return best;
}

template <class In>
In min_element(In first, In last) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    In best = first;
    for (; first != last; ++first) {
        if (*first < *best) best = first;
    }
    return best;
}

template <class In, class Less>
In min_element(In first, In last, Less less) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    In best = first;
    for (; first != last; ++first) {
        if (less(*first, *best)) best = first;
    }
    return best;
}

template <class Io>
void reverse(Io first, Io last) {
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        return;
    }
    while (first != last) {
        --last;
        if (first == last) return;
        std::swap(*first, *last);
        ++first;
    }
}

template <class Io>
Io rotate(Io first, Io middle, Io last) {
    Io result = first + (last - middle);
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        return result;
    }
    std::reverse(first, middle);
    std::reverse(middle, last);
    std::reverse(first, last);
    return result;
}

template <class A, class B>
B swap_ranges(A first, A last, B other) {
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        cudalint::writes(other, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        std::swap(*first, *other);
        ++other;
    }
    return other;
}

template <class A, class B>
void iter_swap(A a, B b) {
    std::swap(*a, *b);
}

template <class Io, class T>
void replace(Io first, Io last, const T& from, const T& to) {
    if (!cudalint::few(first, last)) {
        cudalint::writes(first, last);
        return;
    }
    for (; first != last; ++first) {
        if (*first == from) *first = to;
    }
}

template <class Io, class Predicate, class T>
void replace_if(Io first, Io last, Predicate predicate, const T& to) {
    for (; first != last; ++first) {
        if (predicate(*first)) *first = to;
    }
}

template <class Io, class T>
Io remove(Io first, Io last, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::writes(first, last);
        return cudalint::somewhere(first);
    }
    Io out = first;
    for (; first != last; ++first) {
        if (*first != value) {
            *out = std::move(*first);
            ++out;
        }
    }
    return out;
}

template <class Io, class Predicate>
Io remove_if(Io first, Io last, Predicate predicate) {
    if (!cudalint::settled(first, last)) {
        predicate(*first);
        cudalint::writes(first, last);
        return cudalint::somewhere(first);
    }
    Io out = first;
    for (; first != last; ++first) {
        if (!predicate(*first)) {
            *out = std::move(*first);
            ++out;
        }
    }
    return out;
}

template <class In, class Out, class T>
Out remove_copy(In first, In last, Out out, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        cudalint::writes(out, last);
        return cudalint::unknown();
    }
    for (; first != last; ++first) {
        if (*first != value) {
            *out = *first;
            ++out;
        }
    }
    return out;
}

template <class Io>
Io unique(Io first, Io last) {
    if (!cudalint::settled(first, last)) {
        cudalint::writes(first, last);
        return cudalint::somewhere(first);
    }
    Io out = first;
    for (Io it = first; it != last; ++it) {
        if (it == first || *(out - 1) != *it) {
            *out = std::move(*it);
            ++out;
        }
    }
    return out;
}

template <class Io>
void sort(Io first, Io last) {
    if (!cudalint::settled(first, last)) {
        cudalint::permutes(first, last);
        return;
    }
    for (Io end = first; end != last; ++end) {
        for (Io it = end; it != first; --it) {
            if (!(*it < *(it - 1))) break;
            std::swap(*it, *(it - 1));
        }
    }
}

template <class Io, class Less>
void sort(Io first, Io last, Less less) {
    if (!cudalint::settled(first, last)) {
        less(*first, *first);
        cudalint::permutes(first, last);
        return;
    }
    for (Io end = first; end != last; ++end) {
        for (Io it = end; it != first; --it) {
            if (!less(*it, *(it - 1))) break;
            std::swap(*it, *(it - 1));
        }
    }
}

template <class Io>
void stable_sort(Io first, Io last) {
    std::sort(first, last);
}

template <class Io, class Less>
void stable_sort(Io first, Io last, Less less) {
    std::sort(first, last, less);
}

template <class Io>
void partial_sort(Io first, Io middle, Io last) {
    cudalint::permutes(first, last);
}

template <class Io, class Less>
void partial_sort(Io first, Io middle, Io last, Less less) {
    less(*first, *first);
    cudalint::permutes(first, last);
}

template <class Io>
void nth_element(Io first, Io middle, Io last) {
    cudalint::permutes(first, last);
}

template <class Io, class Less>
void nth_element(Io first, Io middle, Io last, Less less) {
    less(*first, *first);
    cudalint::permutes(first, last);
}

template <class Io, class Predicate>
Io partition(Io first, Io last, Predicate predicate) {
    predicate(*first);
    cudalint::writes(first, last);
    return cudalint::somewhere(first);
}

template <class Io, class Predicate>
Io stable_partition(Io first, Io last, Predicate predicate) {
    predicate(*first);
    cudalint::writes(first, last);
    return cudalint::somewhere(first);
}

template <class Io, class Random>
void shuffle(Io first, Io last, Random&& random) {
    cudalint::writes(first, last);
}

template <class Io>
bool next_permutation(Io first, Io last) {
    cudalint::writes(first, last);
    return cudalint::unknown();
}

template <class Io>
bool prev_permutation(Io first, Io last) {
    cudalint::writes(first, last);
    return cudalint::unknown();
}

template <class Io>
void make_heap(Io first, Io last) {
    cudalint::writes(first, last);
}

template <class Io>
void push_heap(Io first, Io last) {
    cudalint::writes(first, last);
}

template <class Io>
void pop_heap(Io first, Io last) {
    cudalint::writes(first, last);
}

template <class Io>
void sort_heap(Io first, Io last) {
    cudalint::writes(first, last);
}

template <class A, class B, class Out>
Out merge(A first, A last, B other, B end, Out out) {
    cudalint::reads(first, last);
    cudalint::reads(other, end);
    cudalint::writes(out, last);
    return cudalint::unknown();
}

template <class A, class B, class Out>
Out set_union(A first, A last, B other, B end, Out out) {
    return std::merge(first, last, other, end, out);
}

template <class A, class B, class Out>
Out set_intersection(A first, A last, B other, B end, Out out) {
    return std::merge(first, last, other, end, out);
}

template <class A, class B, class Out>
Out set_difference(A first, A last, B other, B end, Out out) {
    return std::merge(first, last, other, end, out);
}

template <class A, class B, class Out>
Out set_symmetric_difference(A first, A last, B other, B end, Out out) {
    return std::merge(first, last, other, end, out);
}

template <class Io>
void inplace_merge(Io first, Io middle, Io last) {
    cudalint::writes(first, last);
}

template <class In, class T>
In lower_bound(In first, In last, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    for (; first != last; ++first) {
        if (!(*first < value)) return first;
    }
    return last;
}

template <class In, class T>
In upper_bound(In first, In last, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::somewhere(first);
    }
    for (; first != last; ++first) {
        if (value < *first) return first;
    }
    return last;
}

template <class In, class T>
bool binary_search(In first, In last, const T& value) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::unknown();
    }
    return std::find(first, last, value) != last;
}

template <class In>
bool is_sorted(In first, In last) {
    if (!cudalint::settled(first, last)) {
        cudalint::reads(first, last);
        return cudalint::unknown();
    }
    for (In it = first; it != last; ++it) {
        if (it != first && *it < *(it - 1)) return false;
    }
    return true;
}

template <class T>
const T& min(const T& a, const T& b) {
    if (b < a) return b;
    return a;
}

template <class T>
const T& max(const T& a, const T& b) {
    if (a < b) return b;
    return a;
}

template <class T, class Less>
const T& min(const T& a, const T& b, Less less) {
    if (less(b, a)) return b;
    return a;
}

template <class T, class Less>
const T& max(const T& a, const T& b, Less less) {
    if (less(a, b)) return b;
    return a;
}

template <class T>
T min(std::initializer_list<T> list) {
    return *std::min_element(list.begin(), list.end());
}

template <class T>
T max(std::initializer_list<T> list) {
    return *std::max_element(list.begin(), list.end());
}

template <class T>
const T& clamp(const T& value, const T& low, const T& high) {
    if (value < low) return low;
    if (high < value) return high;
    return value;
}

template <class In>
std::pair<In, In> minmax_element(In first, In last) {
    In least = std::min_element(first, last);
    if (!cudalint::settled(first, last)) return {least, cudalint::somewhere(first)};
    // Of the largest ones the last.
    In most = first;
    for (; first != last; ++first) {
        if (!(*first < *most)) most = first;
    }
    return {least, most};
}

}  // namespace std
