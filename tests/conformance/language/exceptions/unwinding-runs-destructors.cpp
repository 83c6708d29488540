// what it asks: Are the locals of every frame destroyed, innermost first, before the handler runs?
void observe(long long value);

static int trail = 0;
struct Mark {
    int d;
    explicit Mark(int x) : d(x) {}
    ~Mark() { trail = trail * 10 + d; }
};
static void inner() {
    Mark c(3);
    throw 7;
}
static void outer() {
    Mark b(2);
    inner();
    Mark never(9);
}

int main() {
    int atHandler = 0;
    try {
        Mark a(1);
        outer();
    } catch (int e) {
        atHandler = trail;
        trail = trail * 10 + e;
    }
    observe(atHandler);
    observe(trail);
}
