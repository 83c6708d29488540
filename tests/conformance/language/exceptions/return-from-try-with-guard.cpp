// what it asks: Is the return value of a try block computed before the guards' destructors change the variable?
void observe(long long value);

static int closed = 0;
struct Close {
    int& n;
    ~Close() {
        n += 100;
        ++closed;
    }
};
static int value(bool fail) {
    int n = 5;
    try {
        Close c{n};
        if (fail) {
            throw 1;
        }
        return n;
    } catch (int) {
        return n + 1000;
    }
}

int main() {
    observe(value(false));
    observe(closed + 20);
    observe(value(true));
    observe(closed + 20);
}
