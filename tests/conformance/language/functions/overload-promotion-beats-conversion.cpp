// what it asks: Does an integral promotion win over a conversion in overload resolution?
void observe(long long value);

static int pick(int) { return 3; }
static int pick(double) { return 5; }
static int pick(const void*) { return 7; }
static int only(long) { return 11; }
static int only(const void*) { return 13; }

int main() {
    short s = 1;
    bool b = true;
    float f = 2.0f;
    int data[2] = {0, 0};
    observe(pick(s) * 10 + pick(b));
    observe(pick(f));
    observe(pick(data));
    observe(only(7));
    observe(only(&data[1]));
}
