// what it asks: When a constructor throws, are only its finished members destroyed, and not the object itself?
void observe(long long value);

static int trail = 0;
struct Part {
    int d;
    explicit Part(int x) : d(x) {
        if (x == 3) throw x;
        trail = trail * 10 + d;
    }
    ~Part() { trail = trail * 10 + d + 4; }
};
struct Whole {
    Part a, b, c;
    explicit Whole(int last) : a(1), b(2), c(last) {}
    ~Whole() { trail = trail * 10 + 9; }
};

int main() {
    int caught = 0;
    try {
        Whole w(3);
        trail = 0;
    } catch (int e) {
        caught = e;
    }
    observe(trail);
    observe(caught);
    trail = 0;
    {
        Whole w(4);
    }
    observe(trail);
}
