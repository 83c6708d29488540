// what it asks: Does continue skip the rest of the body but still run the loop's increment?
void observe(long long value);

int main() {
    int kept = 0;
    int seen = 0;
    for (int i = 0; i < 30; ++i) {
        ++seen;
        if (i % 3 != 0) {
            continue;
        }
        kept += i;
    }
    observe(kept);
    observe(seen);
    int n = 0;
    int odd = 0;
    while (n < 11) {
        ++n;
        if (n % 2 == 0) {
            continue;
        }
        odd += n;
    }
    observe(odd);
}
