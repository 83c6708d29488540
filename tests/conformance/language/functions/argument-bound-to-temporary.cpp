// what it asks: Does a const reference parameter of another type bind to a converted temporary, not to the object?
void observe(long long value);

static int calls = 0;
static int watch(const long& view, int& source) {
    ++calls;
    source += 40;
    return static_cast<int>(view);
}
static int same(const int& view, int& source) {
    ++calls;
    source += 40;
    return view;
}

int main() {
    int n = 2;
    observe(watch(n, n));
    observe(n);
    observe(same(n, n));
    observe(n + calls * 1000);
}
