// what it asks: Is a const object a fixed value while a reference to const sees its mutable target change?
void observe(long long value);

static int side = 3;
static const int fixed = side * side;
static const int& watched = side;

int main() {
    const int local = side + 1;
    const int weights[3] = {local, fixed, local * fixed};
    side = 10;
    observe(fixed);
    observe(watched);
    observe(local);
    observe(weights[2]);
    const int* const p = weights + 1;
    observe(p[0] + p[1] * watched);
}
