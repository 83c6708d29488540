// what it asks: Does a constexpr function with loops give the same value at compile time and at run time?
void observe(long long value);

constexpr int primesBelow(int n) {
    int count = 0;
    for (int i = 2; i < n; ++i) {
        bool prime = true;
        for (int j = 2; j * j <= i; ++j) {
            if (i % j == 0) {
                prime = false;
                break;
            }
        }
        count += prime ? 1 : 0;
    }
    return count;
}

int main() {
    constexpr int fixed = primesBelow(100);
    static_assert(fixed == 25, "primes below 100");
    int buffer[primesBelow(30)] = {};
    observe(fixed);
    observe(sizeof(buffer) / sizeof(int));
    int n = 50;
    n += fixed;
    observe(primesBelow(n));
}
