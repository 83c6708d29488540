// what it asks: Does a backward goto form a loop with the right number of rounds?
void observe(long long value);

int main() {
    int n = 27;
    int steps = 0;
again:
    if (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
        goto again;
    }
    observe(steps);
    observe(n);
    int retries = 0;
retry:
    ++retries;
    if (retries * 7 < 50) {
        goto retry;
    }
    observe(retries);
}
