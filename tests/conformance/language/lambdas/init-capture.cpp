// what it asks: Does an init capture compute its own variable from an expression when the lambda is made?
void observe(long long value);

int main() {
    int n = 6;
    auto f = [twice = n * 2, &ref = n](int k) {
        ref += k;
        return twice + ref;
    };
    n = 10;
    observe(f(5));
    observe(n);
    observe(f(0));
    auto shadow = [n = n + 100] { return n; };
    n = 0;
    observe(shadow());
}
