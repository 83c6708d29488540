// what it asks: Do Euclid's algorithm and square-and-multiply leave the exact results?
void observe(long long value);

static int gcd(int a, int b) {
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}
static int powMod(int base, int exp, int mod) {
    int r = 1;
    while (exp > 0) {
        if (exp & 1) {
            r = r * base % mod;
        }
        base = base * base % mod;
        exp >>= 1;
    }
    return r;
}

int main() {
    observe(gcd(1071, 462));
    observe(gcd(17, 5));
    observe(powMod(7, 13, 101));
    observe(powMod(3, 0, 101));
}
