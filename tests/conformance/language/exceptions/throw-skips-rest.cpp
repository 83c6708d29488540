// what it asks: Does a throw skip the rest of the try block and go on in the handler and after it?
void observe(long long value);

static int check(int v) {
    if (v > 5) {
        throw v;
    }
    return v * 10;
}

int main() {
    int state = 1;
    try {
        state += check(4);
        state += check(8);
        state = 9999;
    } catch (int e) {
        state += e * 100;
    }
    observe(state);
    try {
        state = check(2);
    } catch (int) {
        state = -1;
    }
    observe(state);
}
