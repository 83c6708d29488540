// what it asks: Does the comma operator evaluate left first and yield the right operand?
void observe(long long value);

int main() {
    int a = 1;
    int r = (a += 4, a * 10);
    observe(r);
    int i = 0;
    int j = 0;
    int steps = 0;
    for (i = 0, j = 20; i < j; ++i, j -= 2) {
        ++steps;
    }
    observe(steps);
    observe(i * 100 + j);
    int x = 0;
    x = 3, x += 2;
    observe(x);
}
