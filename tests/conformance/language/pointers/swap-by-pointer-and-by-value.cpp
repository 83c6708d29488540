// what it asks: Does swapping by pointers affect the caller while swapping copies does not?
void observe(long long value);

static void swapCopies(int a, int b) {
    int t = a;
    a = b;
    b = t;
    (void)a;
    (void)b;
}
static void swapTargets(int* a, int* b) {
    int t = *a;
    *a = *b;
    *b = t;
}

int main() {
    int x = 12, y = 34;
    swapCopies(x, y);
    observe(x * 100 + y);
    swapTargets(&x, &y);
    observe(x * 100 + y);
    swapTargets(&x, &x);
    observe(x);
}
