// what it asks: what captures by value and by reference hold when the lambda runs.
void observe(long long value);

int main() {
    int value = 1;
    int reference = 1;
    auto add = [value, &reference, own = 5](int by) mutable {
        value += by;
        reference += by;
        own += value;
        return value * 100 + own;
    };
    value = 50;
    reference = 60;
    observe(add(2));
    observe(add(3));
    observe(value);
    observe(reference);
    return 0;
}
