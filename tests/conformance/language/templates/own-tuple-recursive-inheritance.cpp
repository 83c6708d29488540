// what it asks: Does a tuple made of recursive inheritance store and change each element on its own?
void observe(long long value);

template <class... Ts> struct Tuple {};
template <class H, class... T> struct Tuple<H, T...> : Tuple<T...> {
    H head;
    Tuple(H h, T... t) : Tuple<T...>(t...), head(h) {}
};
template <int I, class H, class... T> auto& get(Tuple<H, T...>& t) {
    if constexpr (I == 0) {
        return t.head;
    } else {
        return get<I - 1>(static_cast<Tuple<T...>&>(t));
    }
}

int main() {
    Tuple<int, double, char> t(4, 2.5, 'x');
    get<0>(t) += 10;
    get<1>(t) *= 3;
    observe(get<0>(t));
    observe(static_cast<int>(get<1>(t) * 100));
    observe(get<2>(t) - 'a');
    Tuple<int, double, char> u = t;
    get<0>(u) = 1;
    observe(get<0>(t) * 10 + get<0>(u));
}
