// what it asks: Does a covariant virtual clone copy the dynamic type with its current state?
#include <memory>

void observe(long long value);

struct Shape {
    virtual ~Shape() = default;
    virtual Shape* clone() const = 0;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    Square* clone() const override { return new Square(*this); }
    int area() const override { return side * side; }
};

int main() {
    Square s(4);
    std::unique_ptr<Shape> a(s.clone());
    s.side = 9;
    std::unique_ptr<Shape> b(static_cast<const Shape&>(s).clone());
    observe(a->area());
    observe(b->area());
    std::unique_ptr<Square> c(s.clone());
    c->side += 1;
    observe(c->area());
    observe(s.area() + a->area());
}
