// what it asks: Are names of an unnamed namespace usable directly and shared by the whole file?
void observe(long long value);

namespace {
int hits = 5;
struct Local {
    int v = 8;
    ~Local() { hits += v; }
};
int bump(int n) { return hits += n; }
}
namespace other {
namespace {
int hits = 700;
}
int peek() { return hits + ::hits; }
}

int main() {
    observe(bump(10));
    {
        Local l;
        l.v *= 2;
    }
    observe(hits);
    other::hits -= 100;
    observe(other::peek());
}
