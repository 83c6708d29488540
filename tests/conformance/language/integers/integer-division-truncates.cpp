// what it asks: Do division and remainder of negative integers truncate toward zero?
void observe(long long value);

int main() {
    int n = -17;
    int d = 5;
    observe(n / d);
    observe(n % d);
    observe(17 / -d);
    observe(17 % -d);
    int floored = n / d - (n % d < 0 ? 1 : 0);
    observe(floored);
}
