// what it asks: Can a lambda in a std::function call itself by reference?
#include <functional>

void observe(long long value);

int main() {
    int depth = 0;
    std::function<int(int, int)> gcd = [&](int a, int b) {
        ++depth;
        return b == 0 ? a : gcd(b, a % b);
    };
    observe(gcd(252, 105));
    observe(depth);
    std::function<int(int)> fib = [&fib](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
    observe(fib(12));
}
