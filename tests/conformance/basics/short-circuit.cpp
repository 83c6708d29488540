// what it asks: whether the right side of a logical operator runs only where the left does not decide.
void observe(long long value);

static int calls = 0;
static bool touch(bool answer) {
    ++calls;
    return answer;
}

int main() {
    bool both = touch(false) && touch(true);
    observe(calls + 10 * both);
    bool either = touch(true) || touch(true);
    observe(calls + 10 * either);
    int chosen = touch(false) ? ++calls : 40;
    observe(chosen + calls);
    return 0;
}
