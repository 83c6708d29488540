// what it asks: Do left, right, logical and comma folds group as specified?
void observe(long long value);

template <class... T> int leftMinus(T... v) { return (... - v); }
template <class... T> int rightMinus(T... v) { return (v - ...); }
template <class... T> int withStart(T... v) { return (100 - ... - v); }
template <class... T> bool allPositive(T... v) { return (... && (v > 0)); }
template <class... T> int digits(T... v) {
    int r = 0;
    ((r = r * 10 + v), ...);
    return r;
}

int main() {
    observe(leftMinus(10, 4, 3));
    observe(rightMinus(10, 4, 3));
    observe(withStart(1, 2, 3));
    observe(digits(4, 0, 7));
    observe((allPositive(1, 2) ? 50 : 60) + (allPositive(1, -2) ? 5 : 6));
    observe(withStart());
}
