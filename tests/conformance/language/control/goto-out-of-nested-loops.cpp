// what it asks: Does goto leave three nested loops at once with the indices as they were?
void observe(long long value);

int main() {
    int found = -1;
    int tries = 0;
    for (int a = 1; a < 30; ++a) {
        for (int b = a; b < 30; ++b) {
            for (int c = b; c < 30; ++c) {
                ++tries;
                if (a * a + b * b == c * c && a + b + c == 40) {
                    found = a * 10000 + b * 100 + c;
                    goto done;
                }
            }
        }
    }
    found = 0;
done:
    observe(found);
    observe(tries);
}
