// what it asks: Must one operand be widened before the product for a 64-bit result to be right?
void observe(long long value);

int main() {
    unsigned int rows = 70000u;
    unsigned int cols = 70000u;
    unsigned int narrow = rows * cols;
    long long wide = static_cast<long long>(rows) * cols;
    observe(narrow / 1000u);
    observe(wide / 1000000);
    unsigned long long late = static_cast<unsigned long long>(rows * cols);
    observe(static_cast<long long>(late / 1000));
    observe(wide == static_cast<long long>(late) ? 5 : 6);
}
