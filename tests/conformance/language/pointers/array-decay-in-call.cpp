// what it asks: Does an array argument decay to a pointer so that the callee writes the caller's elements?
void observe(long long value);

static int fill(int* out, int n, int start) {
    int last = -1;
    for (int i = 0; i < n; ++i) {
        out[i] = start + i;
        last = out[i];
    }
    return last;
}

int main() {
    int buffer[8] = {};
    int last = fill(buffer + 2, 4, 30);
    observe(last);
    observe(buffer[2]);
    observe(buffer[5]);
    observe(buffer[6] + buffer[1] - 7);
}
