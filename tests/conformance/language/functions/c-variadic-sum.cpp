// what it asks: Does a C variadic function read each argument with its promoted type?
#include <cstdarg>

void observe(long long value);

static int sum(int n, ...) {
    va_list args;
    va_start(args, n);
    int s = 0;
    for (int i = 0; i < n; ++i) {
        s += va_arg(args, int);
    }
    va_end(args);
    return s;
}
static int mixed(const char* format, ...) {
    va_list args;
    va_start(args, format);
    int r = 0;
    for (; *format; ++format) {
        r = *format == 'd' ? r + va_arg(args, int) : r + static_cast<int>(va_arg(args, double) * 100);
    }
    va_end(args);
    return r;
}

int main() {
    observe(sum(3, 10, 20, 30));
    observe(sum(0));
    observe(sum(2, 10, 20, 30));
    observe(mixed("dfd", 1, 2.25, 3));
}
