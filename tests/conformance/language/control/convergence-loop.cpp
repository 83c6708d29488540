// what it asks: Does a loop that ends by a condition on its data, under a cap, stop where it should?
void observe(long long value);

static int isqrt(int n, int cap, int* used) {
    int x = n;
    *used = 0;
    while (*used < cap) {
        int y = (x + n / x) / 2;
        ++*used;
        if (y >= x) {
            return x;
        }
        x = y;
    }
    return -x;
}

int main() {
    int used = 0;
    observe(isqrt(1000, 100, &used));
    observe(used);
    observe(isqrt(1000, 3, &used));
    int root = isqrt(49, 100, &used);
    observe(root * 10 + used);
}
