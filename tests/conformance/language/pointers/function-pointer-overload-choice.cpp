// what it asks: Does the target type of a function pointer choose the overload whose address is taken?
void observe(long long value);

static int pick(int v) { return v + 1; }
static int pick(double v) { return static_cast<int>(v) + 100; }
static int apply(int (*f)(double), double v) { return f(v); }

int main() {
    int (*fi)(int) = pick;
    int (*fd)(double) = &pick;
    observe(fi(2));
    observe(fd(2));
    observe(apply(pick, 3.9));
    observe(static_cast<int (*)(int)>(pick)(static_cast<int>(3.9)));
}
