// what it asks: Does a generic lambda compute in the type of each argument?
void observe(long long value);

int main() {
    auto half = [](auto v) { return v / 2; };
    observe(static_cast<int>(half(7) * 10));
    observe(static_cast<int>(half(7.0) * 10));
    auto apply = [](auto f, auto... xs) { return f(xs...); };
    auto sum = [](auto... xs) { return (0 + ... + xs); };
    observe(apply(sum, 1, 2, 3));
    observe(apply(half, 9));
    observe(sum());
}
