// what it asks: Does an index-sequence unroll visit every index with its compile-time constant?
#include <type_traits>
#include <utility>

void observe(long long value);

template <class F, int... I> void unrollImpl(F&& f, std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F> void unroll(F&& f) {
    unrollImpl(std::forward<F>(f), std::make_integer_sequence<int, N>{});
}

int main() {
    int sum = 0;
    int order = 0;
    unroll<5>([&](auto i) {
        constexpr int k = decltype(i)::value;
        int scratch[k + 1] = {};
        sum += static_cast<int>(sizeof(scratch) / sizeof(int)) * 10;
        order = order * 10 + k;
    });
    observe(sum);
    observe(order);
    unroll<0>([&](auto) { sum = -1; });
    observe(sum + 1);
}
