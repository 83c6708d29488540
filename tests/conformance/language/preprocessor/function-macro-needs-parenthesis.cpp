// what it asks: Is a function-like macro's name without parentheses an ordinary identifier?
void observe(long long value);

static int twice(int v) { return v * 2; }
#define twice(v) ((v) * 2 + 1000)
#define apply(f, v) f(v)
#define EMPTY

int main() {
    int (*p)(int) = twice;
    observe(p(5));
    observe(twice(5));
    observe(twice
            (6));
    observe((twice)(6));
    observe(apply(twice, 7));
    int EMPTY v EMPTY = 9;
    observe(v);
}
