// what it asks: Does break leave only the innermost loop while the outer one goes on?
void observe(long long value);

int main() {
    int outer = 0;
    int inner = 0;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 10; ++j) {
            if (j == i) {
                break;
            }
            ++inner;
        }
        ++outer;
    }
    observe(outer);
    observe(inner);
    int k = 0;
    while (true) {
        ++k;
        if (k * k > 200) {
            break;
        }
    }
    observe(k);
}
