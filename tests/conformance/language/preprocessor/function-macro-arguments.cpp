// what it asks: Are macro arguments substituted as text and evaluated once per mention?
void observe(long long value);

#define SQUARE_BAD(x) x * x
#define SQUARE(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int calls = 0;
static int next() { return ++calls * 10; }

int main() {
    int n = 4;
    observe(SQUARE_BAD(n + 1));
    observe(SQUARE(n + 1));
    int m = MAX(next(), 5);
    observe(m);
    observe(calls);
    observe(MAX(SQUARE(3), MAX(2, 7)));
}
