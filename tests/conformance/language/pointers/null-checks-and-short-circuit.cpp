// what it asks: Does a null test before a dereference keep the default and else use the target?
void observe(long long value);

static int valueOr(const int* p, int fallback) {
    return p ? *p : fallback;
}
static int firstOf(const int* a, const int* b) {
    if (a && *a > 0) {
        return *a;
    }
    if (!b || *b < 0) {
        return -1;
    }
    return *b;
}

int main() {
    int v = 6, negative = -4;
    observe(valueOr(nullptr, 13));
    observe(valueOr(&v, 13));
    observe(firstOf(&negative, &v) + 100);
    observe(firstOf(nullptr, nullptr) + 50);
}
