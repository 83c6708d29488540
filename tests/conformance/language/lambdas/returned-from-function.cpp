// what it asks: Does a returned closure carry its own copy of the argument it was made with?
void observe(long long value);

static auto makeAdder(int n) {
    return [n](int v) { return v + n; };
}
static auto makeCounter(int start, int step) {
    return [start, step]() mutable {
        int r = start;
        start += step;
        return r;
    };
}

int main() {
    auto ten = makeAdder(10);
    auto hundred = makeAdder(100);
    observe(ten(1));
    observe(hundred(ten(1)));
    auto a = makeCounter(5, 2);
    auto b = makeCounter(50, 20);
    a();
    a();
    b();
    observe(a());
    observe(b());
}
