// what it asks: Does a macro that wraps the function of its name run once around each call, and not where it is no call?
void observe(long long value);

static int calls = 0;
static int release(int v) { return v + 1; }
static int twice(int (*f)(int), int v) { return f(f(v)); }
#define release(v) (++calls, release(v) * 10)
#define TRY(call) ((call) + 1000)
#define FORWARD(f, v) TRY(f(v))

int main() {
    observe(release(4));
    observe(release(release(1)));
    observe(calls);
    observe(twice(release, 5));
    observe(calls);
    observe(FORWARD(release, 2));
    observe((release)(8));
    observe(calls);
}
