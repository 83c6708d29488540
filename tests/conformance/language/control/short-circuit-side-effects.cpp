// what it asks: Do && and || skip the right operand's side effect when the left decides?
void observe(long long value);

static int calls = 0;
static bool check(bool v) {
    ++calls;
    return v;
}

int main() {
    bool r = check(false) && check(true);
    observe(calls * 10 + r);
    r = check(true) || check(false);
    observe(calls * 10 + r);
    r = check(true) && check(true) && check(false);
    observe(calls * 10 + r);
    r = check(false) & check(true);
    observe(calls * 10 + r);
}
