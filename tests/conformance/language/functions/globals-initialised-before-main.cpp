// what it asks: Are namespace-scope variables of one file initialised in order before main?
void observe(long long value);

static int tick = 5;
static int take() { return tick *= 2; }
static int first = take();
static int second = take() + first;
static int third = second - first;

int main() {
    observe(first);
    observe(second);
    observe(third);
    observe(tick);
}
