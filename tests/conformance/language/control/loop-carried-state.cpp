// what it asks: Are values carried between iterations updated in order?
void observe(long long value);

int main() {
    int a = 0;
    int b = 1;
    for (int i = 0; i < 20; ++i) {
        int t = a + b;
        a = b;
        b = t;
    }
    observe(a);
    observe(b);
    int best = -1, where = -1, current = 0;
    for (int i = 0; i < 100; ++i) {
        current = (current * 7 + 3) % 101;
        if (current > best) {
            best = current;
            where = i;
        }
    }
    observe(best);
    observe(where);
}
