// what it asks: Do nested lambdas capture from the enclosing lambda by value and by reference?
void observe(long long value);

int main() {
    int base = 1;
    auto outer = [&base](int a) {
        int local = a * 10;
        auto inner = [&base, local](int b) {
            base += b;
            return local + b;
        };
        local = 9999;
        return inner(2) + inner(3);
    };
    observe(outer(4));
    observe(base);
    auto curry = [](int a) { return [a](int b) { return [a, b](int c) { return a * 100 + b * 10 + c; }; }; };
    observe(curry(3)(5)(7));
}
