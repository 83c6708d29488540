// what it asks: Do two mutually recursive functions with a shared counter end at the right place?
void observe(long long value);

static int depth = 0;
static int odd(int n);
static int even(int n) {
    ++depth;
    return n == 0 ? 40 : odd(n - 1);
}
static int odd(int n) {
    depth += 10;
    return n == 0 ? 50 : even(n - 1);
}

int main() {
    observe(even(6));
    observe(depth);
    observe(even(3));
    observe(depth);
}
