// what it asks: Does a mutable lambda keep its own state between calls, apart from copies and the original?
void observe(long long value);

int main() {
    int n = 10;
    auto count = [n]() mutable { return ++n; };
    observe(count());
    observe(count());
    auto copy = count;
    observe(copy());
    observe(count() * 100 + copy());
    observe(n);
}
