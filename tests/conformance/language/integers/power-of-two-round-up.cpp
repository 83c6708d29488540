// what it asks: Does the shift-and-or cascade round up to the next power of two?
void observe(long long value);

static unsigned int roundUp(unsigned int v) {
    --v;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return v + 1u;
}

int main() {
    observe(roundUp(5));
    observe(roundUp(64));
    observe(roundUp(65));
    observe(roundUp(1000));
}
