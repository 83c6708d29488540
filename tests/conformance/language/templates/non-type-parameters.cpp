// what it asks: Do integer, bool and function template arguments take part in the computation?
void observe(long long value);

static int twice(int v) { return v * 2; }
static int square(int v) { return v * v; }
template <int Block, bool Round> int blocks(int n) {
    return Round ? (n + Block - 1) / Block : n / Block;
}
template <int (*F)(int), int Times> int repeat(int v) {
    for (int i = 0; i < Times; ++i) {
        v = F(v);
    }
    return v;
}

int main() {
    observe(blocks<128, true>(1000));
    observe(blocks<128, false>(1000));
    observe(blocks<256, true>(1000));
    observe(repeat<twice, 5>(3));
    observe(repeat<square, 3>(2));
}
