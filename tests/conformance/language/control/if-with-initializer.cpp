// what it asks: Is the variable of an if or switch with initialiser usable in every branch?
void observe(long long value);

static int lookup(int key) {
    return key % 4 == 0 ? -1 : key * 3;
}

int main() {
    int total = 0;
    for (int k = 0; k < 6; ++k) {
        if (int v = lookup(k); v >= 0) {
            total += v;
        } else {
            total += 100 + v;
        }
    }
    observe(total);
    switch (int m = total % 7; m) {
    case 0:
        total = m + 70;
        break;
    default:
        total = m + 700;
        break;
    }
    observe(total);
}
