// what it asks: Are members initialised in their order of declaration, each from the ones before?
void observe(long long value);

static int order = 0;
static int note(int digit) {
    order = order * 10 + digit;
    return digit;
}
struct Plan {
    int a;
    int b;
    int c;
    explicit Plan(int n) : a(note(1) + n), b(note(2) * a), c(note(3) + b) {}
};

int main() {
    Plan p(9);
    observe(order);
    observe(p.b);
    observe(p.c);
    Plan q(0);
    observe(order);
    observe(q.c);
}
