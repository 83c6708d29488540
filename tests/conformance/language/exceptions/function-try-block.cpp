// what it asks: Does a constructor's function try block see the initialiser's exception and then pass it on?
void observe(long long value);

static int seen = 0;
struct Checked {
    int v;
    explicit Checked(int x) : v(x) {
        if (x < 0) throw x;
    }
};
struct Owner {
    Checked c;
    explicit Owner(int x)
    try : c(x) {
        seen += 1;
    } catch (int e) {
        seen += 100 - e;
    }
};

int main() {
    Owner good(5);
    observe(seen);
    int passed = 0;
    try {
        Owner bad(-7);
        passed = 99;
    } catch (int e) {
        passed = e;
    }
    observe(seen);
    observe(passed);
    observe(good.c.v);
}
