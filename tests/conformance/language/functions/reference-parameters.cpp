// what it asks: Does a reference parameter alias the argument while a value parameter copies it?
void observe(long long value);

static void step(int& byRef, int byValue, const int& watch, int* out) {
    byRef += 5;
    byValue += 100;
    out[0] = watch;
    out[1] = byValue;
}

int main() {
    int a = 1;
    int b = 2;
    int out[2] = {0, 0};
    step(a, b, a, out);
    observe(a);
    observe(b);
    observe(out[0]);
    observe(out[1]);
    step(b, b, a, out);
    observe(b * 1000 + out[1]);
}
