// what it asks: Does a return inside a loop end the function with the value at that moment?
void observe(long long value);

static int firstAtLeast(const int* v, int n, int bound) {
    for (int i = 0; i < n; ++i) {
        if (v[i] >= bound) {
            return i;
        }
    }
    return n + 100;
}

int main() {
    int v[6] = {3, 1, 9, 4, 12, 9};
    observe(firstAtLeast(v, 6, 9));
    observe(firstAtLeast(v, 6, 10));
    observe(firstAtLeast(v, 6, 50));
    observe(firstAtLeast(v, 0, 0));
}
