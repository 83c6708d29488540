// what it asks: Does a static local keep its value between calls and get initialised once?
void observe(long long value);

static int start() {
    static int asked = 0;
    return 100 * ++asked;
}
static int next() {
    static int n = start();
    n += 3;
    return n;
}
static int other() {
    static int n = start();
    return n;
}

int main() {
    observe(next());
    observe(next());
    observe(other());
    observe(next());
    observe(start());
}
