// what it asks: Does a return inside an error-check macro leave the enclosing function at the first failure?
void observe(long long value);

enum Status { Ok = 0, OutOfMemory = 2, Invalid = 11 };
static int steps = 0;
static Status step(Status s) {
    ++steps;
    return s;
}
#define TRY(call)                 \
    do {                          \
        const Status err = (call); \
        if (err != Ok) {          \
            return err + 100;     \
        }                         \
    } while (0)

static int run(Status third) {
    TRY(step(Ok));
    TRY(step(Ok));
    TRY(step(third));
    TRY(step(OutOfMemory));
    return 0;
}

int main() {
    observe(run(Invalid));
    observe(steps);
    observe(run(Ok));
    observe(steps);
}
