// what it asks: Is the usual round-up division computed exactly for sizes below, at and above a multiple?
void observe(long long value);

static int blocksFor(int n, int threads) {
    return (n + threads - 1) / threads;
}

int main() {
    const int threads = 256;
    observe(blocksFor(1, threads));
    observe(blocksFor(256, threads));
    observe(blocksFor(257, threads));
    observe(blocksFor(1000, threads));
    observe(blocksFor(1000, threads) * threads - 1000);
}
