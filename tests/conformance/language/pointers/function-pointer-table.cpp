// what it asks: Does a call through a table of function pointers reach the selected function?
void observe(long long value);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

int main() {
    int (*ops[3])(int, int) = {add, sub, mul};
    observe(ops[0](6, 7));
    observe(ops[1](6, 7));
    observe(ops[2](6, 7));
    int (*chosen)(int, int) = ops[2];
    ops[2] = ops[0];
    observe(chosen(3, 5) * 100 + (*ops[2])(3, 5));
}
