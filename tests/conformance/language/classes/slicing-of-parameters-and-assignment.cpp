// what it asks: Is what is passed or assigned by value an object of the parameter's class only, with its own copy of the base?
void observe(long long value);

static int ended = 0;
struct Shape {
    int id;
    explicit Shape(int i) : id(i) {}
    Shape(const Shape& o) : id(o.id + 100) {}
    virtual ~Shape() { ended += 1; }
    virtual int area() const { return -id; }
};
struct Square : Shape {
    int side;
    Square(int i, int s) : Shape(i), side(s) {}
    ~Square() override { ended += 10; }
    int area() const override { return side * side; }
};
static int taken(Shape s) { s.id += 1; return s.area(); }
template <class T> int as(T s) { return s.area(); }

int main() {
    {
        Square q(3, 5);
        observe(taken(q));
        observe(q.id);
        observe(as<Shape>(q));
        observe(as(q));
        observe(ended);
        Shape copy = q;
        Shape& ref = q;
        observe(copy.area() + ref.area() * 1000);
        copy = q;
        observe(copy.area());
    }
    observe(ended);
}
