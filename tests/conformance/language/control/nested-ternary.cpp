// what it asks: Does a chain of conditional operators pick the first true branch and evaluate only it?
void observe(long long value);

static int calls = 0;
static int cost(int v) {
    ++calls;
    return v;
}

int main() {
    int n = 300;
    int r = n < 100 ? cost(1) : n < 400 ? cost(2) : n < 900 ? cost(3) : cost(4);
    observe(r);
    observe(calls);
    int a = 5, b = 9;
    (a > b ? a : b) = 70;
    observe(a);
    observe(b);
}
