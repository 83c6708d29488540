// what it asks: Does a memo table cut the number of recursive calls and keep the result?
void observe(long long value);

static int memo[40];
static int calls = 0;

static int ways(int n) {
    ++calls;
    if (n < 3) {
        return n < 0 ? 0 : n;
    }
    if (memo[n] != 0) {
        return memo[n];
    }
    memo[n] = ways(n - 1) + ways(n - 2);
    return memo[n];
}

int main() {
    observe(ways(20));
    observe(calls);
    observe(ways(18));
    observe(calls);
}
