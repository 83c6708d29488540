// what it asks: Does a std::function that captures itself by reference recurse to the right value?
#include <functional>

void observe(long long value);

int main() {
    int calls = 0;
    std::function<int(int)> fib = [&](int n) {
        ++calls;
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    };
    observe(fib(10));
    observe(calls);
    std::function<int(int)> other = fib;
    calls = 0;
    int r = other(4);
    observe(r * 100 + calls);
}
