// what it asks: Do recursive calls keep separate locals and unwind with the right sums?
void observe(long long value);

static int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}
static int fib(int n) {
    if (n < 2) {
        return n;
    }
    int left = fib(n - 1);
    int right = fib(n - 2);
    return left + right;
}

int main() {
    observe(factorial(8));
    observe(factorial(0));
    observe(fib(15));
}
