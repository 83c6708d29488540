// what it asks: which overload a call with an argument of each type means.
void observe(long long value);

static int which(int) { return 1; }
static int which(unsigned) { return 2; }
static int which(long long) { return 3; }
static int which(double) { return 4; }
static int which(const char*) { return 5; }
static int which(char) { return 6; }

int main() {
    observe(which(7));
    observe(which(7u));
    observe(which(7LL));
    observe(which(7.0f));
    observe(which("7"));
    observe(which('7'));
    return 0;
}
