// what it asks: Does an immediately invoked lambda initialise a const variable by its branches?
void observe(long long value);

int main() {
    int n = 37;
    const int bucket = [&] {
        if (n < 10) {
            return 1;
        }
        if (n < 50) {
            n += 1;
            return 2;
        }
        return 3;
    }();
    observe(bucket);
    observe(n);
    const int sum = [](int k) {
        int s = 0;
        while (k > 0) {
            s += k--;
        }
        return s;
    }(n);
    observe(sum);
}
