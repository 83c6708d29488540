// what it asks: Does a do-while(0) macro act as one statement in an if-else without braces?
void observe(long long value);

static int failures = 0;
static int line = 0;
#define CHECK(expr)              \
    do {                         \
        int status_ = (expr);    \
        ++line;                  \
        if (status_ != 0) {      \
            failures += status_; \
        }                        \
    } while (0)

int main() {
    int mode = 2;
    if (mode == 1)
        CHECK(5);
    else
        CHECK(70);
    observe(failures);
    for (int i = 0; i < 4; ++i)
        CHECK(i % 2);
    observe(failures);
    observe(line);
}
