// what it asks: Does an inner bound that depends on the outer index give the triangle count?
void observe(long long value);

int main() {
    int pairs = 0;
    int weighted = 0;
    for (int i = 0; i < 20; ++i) {
        for (int j = i + 1; j < 20; ++j) {
            ++pairs;
            weighted += j - i;
        }
    }
    observe(pairs);
    observe(weighted);
    int diagonal = 0;
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j <= i; j += 2) {
            diagonal += 10 * i + j;
        }
    }
    observe(diagonal);
}
