// what it asks: Is a bound that the body changes read again at every test?
void observe(long long value);

int main() {
    int n = 10;
    int trips = 0;
    for (int i = 0; i < n; ++i) {
        if (i % 3 == 0) {
            ++n;
        }
        ++trips;
    }
    observe(trips);
    observe(n);
    int limit = 50;
    int i = 0;
    while (i < limit) {
        i += 3;
        limit -= 2;
    }
    observe(i);
    observe(limit);
}
