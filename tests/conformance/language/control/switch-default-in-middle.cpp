// what it asks: Does a default label in the middle still run only when no case matches?
void observe(long long value);

static int pick(char c) {
    int r = 0;
    switch (c) {
    case 'a':
        r = 10;
        break;
    default:
        r = 99;
        break;
    case 'x':
    case 'y':
        r = 20 + (c - 'x');
    }
    return r;
}

int main() {
    observe(pick('a'));
    observe(pick('y'));
    observe(pick('x'));
    observe(pick('m'));
}
