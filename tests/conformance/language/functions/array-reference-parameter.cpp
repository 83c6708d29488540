// what it asks: Does a reference to an array keep its length and write through to the caller?
void observe(long long value);

static int doubleAll(int (&v)[5]) {
    int sum = 0;
    for (int& x : v) {
        x *= 2;
        sum += x;
    }
    return sum + static_cast<int>(sizeof(v) / sizeof(v[0])) * 1000;
}

int main() {
    int v[5] = {1, 2, 3, 4, 5};
    observe(doubleAll(v));
    observe(v[4]);
    observe(doubleAll(v));
    observe(v[0]);
}
