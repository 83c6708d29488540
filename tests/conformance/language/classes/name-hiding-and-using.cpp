// what it asks: Does a derived function hide all base overloads unless a using declaration brings them back?
void observe(long long value);

struct Base {
    int f(int v) const { return v + 1; }
    int f(double v) const { return static_cast<int>(v * 10); }
};
struct Hides : Base {
    int f(double v) const { return static_cast<int>(v) + 1000; }
};
struct Uses : Base {
    using Base::f;
    int f(int v) const { return v + 500; }
};

int main() {
    Hides h;
    Uses u;
    observe(h.f(3));
    observe(h.Base::f(3));
    observe(u.f(3));
    observe(u.f(3.5));
}
