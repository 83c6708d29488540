// what it asks: whether a static local keeps its value between calls.
void observe(long long value);

static int next() {
    static int count = 7;
    count += 2;
    return count;
}

int main() {
    int first = next();
    int second = next();
    observe(first * 100 + second);
    for (int i = 0; i < 3; ++i) {
        next();
    }
    observe(next());
    return 0;
}
