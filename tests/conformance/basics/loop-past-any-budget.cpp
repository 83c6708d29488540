// what it asks: what a sum holds after a loop of a hundred passes.
void observe(long long value);

int main() {
    int sum = 0;
    int last = -1;
    for (int i = 0; i < 100; ++i) {
        sum += i;
        if (i % 7 == 0) {
            last = i;
        }
    }
    observe(sum);
    observe(last);
    observe(sum % 11);
    return 0;
}
