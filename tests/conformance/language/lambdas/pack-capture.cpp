// std: c++20
// what it asks: Does a C++20 pack init capture copy every argument into the closure?
void observe(long long value);

template <class... Ts> auto bind(Ts... xs) {
    return [... ys = xs + 1](int k) { return ((ys * k) + ... + 0); };
}

int main() {
    int a = 2;
    auto f = bind(a, 5, 10);
    a = 500;
    observe(f(1));
    observe(f(10));
    observe(bind(1)(7));
    observe(bind(a)(1));
}
