// what it asks: Does a by-value capture hold the value at the time the lambda was made?
void observe(long long value);

int main() {
    int n = 4;
    auto f = [n](int k) { return n * k; };
    n = 100;
    observe(f(3));
    observe(n);
    auto g = [=]() { return n + 1; };
    n = 7;
    observe(g());
    observe(f(n));
}
