// what it asks: Is a variable in parentheses before + - * & an operand, and not a type?
void observe(long long value);

#define DIFFERENCE(a, b) ((a) - (b))
#define BLEND(a, b, t) ((a) * (10 - (t)) + (b) * (t))
#define MASKED(a, b) ((a) & (b))
#define FIRST(type, pointer) (*(type *)(pointer))
#define NEGATIVE(type, value) ((type) - (value))

int main() {
    int n = 4, m = 3, k = 5;
    int *p = &k;
    observe((n) + (m) * 2);
    observe((n) - (m) - (k));
    observe(2 * (n) + (m));
    observe((n) * (m) + (k));
    observe((n) + (m) * (k) - (n));
    observe(-(n) + (m));
    observe((long long)(n) - (m) * 2);
    observe((n) & (m) + 2);
    observe((n) + (m) < (k) * (n));
    observe((n) * (*p));
    observe(DIFFERENCE(n * 2, m));
    observe(BLEND(n, m, k));
    observe(MASKED(n + 3, 6));
    observe(FIRST(int, p));
    observe(NEGATIVE(short, 70000));
    using other = short;
    observe((other) - (n));
}
