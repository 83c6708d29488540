// what it asks: Is the overload chosen by the static type of the argument?
void observe(long long value);

static int kind(int) { return 10; }
static int kind(unsigned int) { return 20; }
static int kind(long) { return 30; }
static int kind(double) { return 40; }
static int kind(const char*) { return 50; }

int main() {
    observe(kind(1));
    observe(kind(1u));
    observe(kind(1L));
    observe(kind(1.0f));
    observe(kind("1"));
    observe(kind('1'));
}
