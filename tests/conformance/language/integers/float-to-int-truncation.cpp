// what it asks: Does conversion from floating point to integer drop the fraction toward zero?
void observe(long long value);

int main() {
    double a = 7.9;
    double b = -7.9;
    observe(static_cast<int>(a));
    observe(static_cast<int>(b));
    observe(static_cast<int>(a + 0.5));
    float third = 10.0f / 4;
    observe(static_cast<int>(third * 100));
    int intDivision = static_cast<int>((10 / 4) * 100.0);
    observe(intDivision);
}
