// what it asks: Is an exact class overload preferred to one that needs a user-defined conversion?
void observe(long long value);

struct Dim {
    int x;
    Dim(int v) : x(v) {}
};
struct Size {
    int n;
    operator Dim() const { return Dim(n * 2); }
};
static int volume(Dim d) { return d.x + 1000; }
static int volume(const Size& s, int scale = 3) { return s.n * scale; }

int main() {
    Size s{8};
    observe(volume(s));
    observe(volume(5));
    observe(volume(static_cast<Dim>(s)));
    observe(volume(s, 10));
}
