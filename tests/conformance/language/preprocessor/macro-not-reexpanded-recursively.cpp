// what it asks: Is a macro's own name in its replacement left alone, so that it names the function or variable?
void observe(long long value);

static int value = 5;
static int scale(int v) { return v * 10; }
#define value (value + 100)
#define scale(v) (scale(v) + 1)

int main() {
    observe(value);
    observe(scale(2));
    observe((scale)(2));
    observe(scale(scale(1)));
#undef value
    observe(value);
}
