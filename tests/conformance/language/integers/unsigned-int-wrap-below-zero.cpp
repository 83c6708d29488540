// what it asks: Does unsigned subtraction wrap modulo 2^32 so that a comparison with it comes out large?
void observe(long long value);

int main() {
    unsigned int a = 3;
    unsigned int b = 5;
    unsigned int d = a - b;
    observe(d > 1000u ? 71 : 17);
    observe(d + 10u);
    observe(static_cast<long long>(d % 100u));
    unsigned int m = 0u;
    --m;
    observe(m / 65536u);
    observe(m >> 24);
}
