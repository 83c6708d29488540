// what it asks: Are two unsigned chars promoted to int before they are added, and narrowed only by the store?
void observe(long long value);

int main() {
    unsigned char a = 200;
    unsigned char b = 100;
    int sum = a + b;
    unsigned char stored = static_cast<unsigned char>(a + b);
    observe(sum);
    observe(stored);
    observe(a - b - b - b);
    observe((a + b) / 2);
    unsigned char half = static_cast<unsigned char>(stored / 2);
    observe(half);
}
