// what it asks: Does control fall through case labels until a break?
void observe(long long value);

static int score(int k) {
    int s = 0;
    switch (k) {
    case 3:
        s += 100;
        [[fallthrough]];
    case 2:
        s += 10;
        [[fallthrough]];
    case 1:
        s += 1;
        break;
    default:
        s = 7;
    }
    return s;
}

int main() {
    observe(score(3));
    observe(score(2));
    observe(score(1));
    observe(score(9));
}
