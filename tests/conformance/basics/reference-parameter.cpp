// what it asks: what a function stores through references, pointers and into copies.
void observe(long long value);

static void change(int by_value, int& by_reference, int* by_pointer) {
    by_value += 1;
    by_reference += by_value;
    *by_pointer = by_reference * 2;
}

int main() {
    int a = 1;
    int b = 10;
    int c = 100;
    change(a, b, &c);
    observe(a);
    observe(b);
    observe(c);
    return 0;
}
