// what it asks: Do a class and its bases each keep their own member of one name, whoever looks?
void observe(long long value);

struct Base {
    int stream = 3;
    int twice() const { return stream * 2; }
    void set(int v) { stream = v; }
};
struct Other {
    int stream = 50;
    int next() { return ++stream; }
};
struct Both : Base, Other {
    int stream = 700;
    int sum() const { return stream + Base::stream + Other::stream; }
};
static int read(const Base& b) { return b.stream; }
static void write(Other* o, int v) { o->stream = v; }

int main() {
    Both b;
    observe(b.sum());
    b.set(4);
    observe(b.next());
    observe(read(b));
    write(&b, 90);
    observe(b.sum());
    Both c = b;
    c.stream = 0;
    c.Base::stream = 1;
    observe(c.sum() * 1000 + b.sum());
    Base part = c;
    observe(part.twice());
}
