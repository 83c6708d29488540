// what it asks: Does a new exception thrown in a handler replace the old one and skip its sibling handlers?
void observe(long long value);

static int trail = 4;
static void work() {
    try {
        throw 1;
    } catch (int e) {
        trail = trail * 10 + e;
        throw static_cast<double>(e + 1);
    } catch (double) {
        trail = 9999;
    }
    trail = 8888;
}

int main() {
    double got = 0;
    try {
        work();
    } catch (int) {
        trail = 7777;
    } catch (double d) {
        got = d;
    }
    observe(trail);
    observe(static_cast<int>(got * 10));
}
