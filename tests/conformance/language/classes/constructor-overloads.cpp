// what it asks: Is the constructor chosen by the form of the initialisation?
void observe(long long value);

struct Shape {
    int tag;
    Shape() : tag(1) {}
    Shape(int w) : tag(w * 10) {}
    Shape(int w, int h) : tag(w * h) {}
    explicit Shape(double d) : tag(static_cast<int>(d * 100)) {}
};
static int take(Shape s) { return s.tag; }

int main() {
    Shape a;
    Shape b(7);
    Shape c{7, 6};
    Shape d(1.25);
    observe(a.tag);
    observe(b.tag);
    observe(c.tag);
    observe(d.tag);
    observe(take(3));
    observe(take({8, 8}));
}
