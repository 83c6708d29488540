// what it asks: Is a lambda usable in a constant expression with the value of its body?
void observe(long long value);

int main() {
    constexpr auto square = [](int v) { return v * v; };
    static_assert(square(5) == 25, "constant");
    int table[square(3)] = {};
    table[8] = square(12);
    observe(sizeof(table) / sizeof(table[0]));
    observe(table[8]);
    constexpr int k = [](int n) {
        int r = 1;
        for (int i = 2; i <= n; ++i) {
            r *= i;
        }
        return r;
    }(6);
    observe(k);
}
