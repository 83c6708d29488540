// what it asks: Are the operands of decltype and sizeof left unevaluated?
void observe(long long value);

static int calls = 40;
static double touch() {
    ++calls;
    return 1.5;
}

int main() {
    decltype(touch()) d = 7 / 2;
    d += 0.25;
    observe(static_cast<int>(d * 100));
    observe(calls);
    int n = 3;
    auto size = sizeof(touch()) + sizeof(n * 2LL);
    observe(static_cast<long long>(size));
    decltype(n + 1) m = 9;
    observe(m / 2);
    touch();
    observe(calls + n);
}
