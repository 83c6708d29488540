// what it asks: Does a type list give the type at an index and the largest size by recursion?
void observe(long long value);

template <class... Ts> struct List {
    static constexpr int size = static_cast<int>(sizeof...(Ts));
};
template <int I, class L> struct At;
template <class H, class... T> struct At<0, List<H, T...>> { using type = H; };
template <int I, class H, class... T> struct At<I, List<H, T...>> : At<I - 1, List<T...>> {};
template <class L> struct Largest;
template <> struct Largest<List<>> { static constexpr int v = 0; };
template <class H, class... T> struct Largest<List<H, T...>> {
    static constexpr int rest = Largest<List<T...>>::v;
    static constexpr int v = static_cast<int>(sizeof(H)) > rest ? static_cast<int>(sizeof(H)) : rest;
};
using L = List<char, double, short, int>;

int main() {
    observe(L::size * 100 + Largest<L>::v);
    observe(sizeof(At<2, L>::type) + 10);
    At<1, L>::type d = 7 / 2.0;
    At<3, L>::type i = 7 / 2;
    observe(static_cast<int>(d * 10));
    observe(i * 10);
}
