// what it asks: Is a negative int converted to unsigned when an explicit cast meets an unsigned bound?
void observe(long long value);

static int viaSigned(int i, unsigned int n) {
    return i < static_cast<int>(n) ? 1 : 2;
}
static int viaUnsigned(int i, unsigned int n) {
    return static_cast<unsigned int>(i) < n ? 3 : 4;
}

int main() {
    observe(viaSigned(-1, 10u));
    observe(viaUnsigned(-1, 10u));
    observe(viaUnsigned(9, 10u) * 10 + viaSigned(9, 10u));
    observe(viaSigned(10, 10u) + viaUnsigned(10, 10u));
}
