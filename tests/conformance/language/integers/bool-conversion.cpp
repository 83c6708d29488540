// what it asks: Does conversion to bool map every non-zero value to one, in sums and assignments?
void observe(long long value);

int main() {
    bool b = 0;
    b = static_cast<bool>(256);
    int sum = b + b + b;
    observe(sum);
    unsigned char cut = static_cast<unsigned char>(256);
    observe(cut + 10);
    bool fromDouble = static_cast<bool>(0.25);
    observe(fromDouble * 7);
    int fromDoubleInt = static_cast<int>(0.25);
    observe(fromDoubleInt * 7);
    observe(!!42 + !42 + 5);
}
