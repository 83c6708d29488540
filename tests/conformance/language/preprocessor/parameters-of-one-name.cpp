// what it asks: Is what a macro hands to another one evaluated once where their parameters have the same name, and does a parameter stay out of what its macro uses?
void observe(long long value);

static int calls = 0;
static int step(int value) {
    ++calls;
    return value;
}

#define CHECK_WITH(call, expected) \
    do {                           \
        int got = (call);          \
        if (got != (expected)) {   \
            failures += got;       \
        }                          \
    } while (0)
#define CHECK(call) CHECK_WITH(call, 0)
#define CHECK_ALL(call) CHECK(call)

// The inner `a` is the outer `b`, whatever the names are.
#define DIFFERENCE(a, b) ((a) - (b))
#define REVERSED(a, b) DIFFERENCE(b, a)
#define TWICE_REVERSED(a, b) REVERSED(b + 1, a)

// What is not handed on is what the surroundings mean by the name.
static int size = 7;
#define USES_SIZE(x) ((x) + size)
#define GIVEN_SIZE(size) USES_SIZE(size)

int main() {
    int failures = 0;
    CHECK(step(0));
    observe(calls);
    CHECK_ALL(step(5));
    observe(calls);
    observe(failures);
    observe(REVERSED(step(10), step(3)));
    observe(calls);
    observe(TWICE_REVERSED(step(10), step(3)));
    observe(calls);
    observe(GIVEN_SIZE(1));
    int a = 2;
    int b = 40;
    observe(REVERSED(a, b));
    observe(DIFFERENCE(b, a));
}
