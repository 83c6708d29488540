// what it asks: Does recursive instantiation compute a factorial and a power at compile time?
void observe(long long value);

template <int N> struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr int value = 1;
};
template <int B, int E> constexpr int power = B * power<B, E - 1>;
template <int B> constexpr int power<B, 0> = 1;

int main() {
    int table[Factorial<4>::value];
    observe(sizeof(table) / sizeof(int));
    observe(Factorial<7>::value);
    observe(power<3, 6>);
    observe(power<9, 0> + 40);
}
