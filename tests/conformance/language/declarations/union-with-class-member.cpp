// what it asks: Does a union with a class member need its destructor called by hand, exactly once?
#include <new>

void observe(long long value);

static int gone = 0;
struct Text {
    int n;
    explicit Text(int v) : n(v) {}
    ~Text() { gone += n; }
};
union Slot {
    int raw;
    Text text;
    Slot() : raw(3) {}
    ~Slot() {}
};

int main() {
    {
        Slot s;
        observe(s.raw);
        new (&s.text) Text(40);
        s.text.n += 2;
        observe(s.text.n);
        s.text.~Text();
        s.raw = 9;
        observe(gone);
    }
    observe(gone + 100);
}
