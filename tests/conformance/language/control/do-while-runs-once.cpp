// what it asks: Does a do-while body run once although its condition is false at the start?
void observe(long long value);

int main() {
    int n = 10;
    int runs = 0;
    do {
        ++runs;
        n += 5;
    } while (n < 10);
    observe(runs);
    observe(n);
    int digits = 0;
    int v = 40960;
    do {
        ++digits;
        v /= 10;
    } while (v != 0);
    observe(digits);
}
