// what it asks: Does a captureless lambda convert to a function pointer that runs its body?
void observe(long long value);

static int apply(int (*f)(int), int v) {
    return f(v) + f(v + 1);
}

int main() {
    observe(apply([](int v) { return v * v; }, 4));
    int (*p)(int) = [](int v) { return v - 100; };
    observe(apply(p, 4));
    auto q = +[](int v) { return v << 3; };
    p = q;
    observe(p(5));
}
