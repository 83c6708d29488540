// what it asks: Do stacked early returns take the first that applies?
void observe(long long value);

static int validate(int n, int threads, bool shared) {
    if (n <= 0) return 1;
    if (threads > 1024) return 2;
    if (threads % 32 != 0) return shared ? 30 : 3;
    if (n < threads) {
        return 4;
    }
    return 0;
}

int main() {
    observe(validate(0, 2048, false));
    observe(validate(10, 2048, true));
    observe(validate(10, 33, true));
    observe(validate(10, 33, false));
    observe(validate(10, 64, false));
    observe(validate(1000, 64, false));
}
