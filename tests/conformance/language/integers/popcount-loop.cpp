// what it asks: Does clearing the lowest set bit in a loop count the bits and leave zero?
void observe(long long value);

int main() {
    unsigned int v = 0xF0F3u;
    int count = 0;
    unsigned int lowest = v & (~v + 1u);
    while (v != 0u) {
        v &= v - 1u;
        ++count;
    }
    observe(count);
    observe(lowest);
    observe(v);
    unsigned int w = 0xA8u;
    observe(w & (~w + 1u));
}
