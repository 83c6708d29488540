// what it asks: Does a loop whose stride doubles or halves perform log2 rounds and a tree reduction?
void observe(long long value);

int main() {
    int v[64];
    for (int i = 0; i < 64; ++i) {
        v[i] = i + 1;
    }
    int rounds = 0;
    for (int stride = 32; stride > 0; stride >>= 1) {
        for (int i = 0; i < stride; ++i) {
            v[i] += v[i + stride];
        }
        ++rounds;
    }
    observe(v[0]);
    observe(rounds);
    int up = 0;
    for (int s = 1; s < 1000; s *= 2) {
        ++up;
    }
    observe(up);
}
