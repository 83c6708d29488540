// what it asks: Do auto and trailing return types deduce the type of the result, with its division?
void observe(long long value);

static auto half(int n) { return n / 2; }
static auto halfExact(int n) { return n / 2.0; }
template <class A, class B> auto mix(A a, B b) -> decltype(a + b) { return a + b; }
static int store = 5;
static auto copyOf() { return (store); }
static decltype(auto) refTo() { return (store); }

int main() {
    observe(half(7) * 2);
    observe(static_cast<int>(halfExact(7) * 2));
    observe(static_cast<int>(mix(1, 0.75) * 100));
    refTo() = 60;
    auto c = copyOf();
    c += 1;
    observe(store);
    observe(c);
}
